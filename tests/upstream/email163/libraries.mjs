// Asks mailparser, and Node for dates, as universal-email-server does: a question a line, an answer a line.
//
// usage: TZ=UTC node libraries.mjs FOLDER-OF-NODE-MODULES < questions.jsonl > answers.jsonl
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { simpleParser } = createRequire(`${process.argv[2]}/here.js`)("mailparser");
// A date that cannot be read is the moment of reading, which is no answer worth keeping.
const NOW = new Date("2026-03-09T01:00:00Z");
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [NOW]));
  }
};

const ASK = {
  date: ({ text }) => new Date(text).getTime(),
  async mail({ source, bytes }) {
    const sent = bytes ? Buffer.from(bytes, "base64") : Buffer.from(source.replaceAll("\n", "\r\n"));
    const mail = await simpleParser(sent);
    const { date, from, to, cc, subject, text, html, attachments } = mail;
    return {
      date: date?.getTime(),
      from: from?.text,
      to: to?.text,
      cc: cc && `${cc.text}`,
      subject,
      text,
      html: html || undefined,
      attachments: attachments.map((each) => [each.filename || null, each.size]),
    };
  },
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const question = JSON.parse(line);
  let answer;
  try {
    answer = { is: (await ASK[question.ask](question)) ?? null };
  } catch (problem) {
    answer = { fails: problem.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
