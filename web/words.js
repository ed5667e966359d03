// The page's own words in English and Chinese.

const WORDS = {
  home: ["Home", "首页"], story: ["Story", "经过"], bill: ["Bill", "账单"], compare: ["Compare", "对比"],
  you: ["You are", "你是"], unread: ["unread", "未读"], changed: ["changed", "改动"], apps: ["Apps", "应用"],
  now: ["Now", "现在"], live: ["live", "实时"], then: ["After call", "第…次调用之后"], all: ["All tables", "全部表"],
  changes: ["Only changes", "只看改动"], nothing: ["Nothing here.", "这里什么也没有。"], calls: ["calls", "次调用"],
  noCalls: ["No calls yet. As soon as an agent acts, you see it here.", "还没有调用。智能体一行动，这里就会显示。"],
  earlier: ["Show earlier", "显示更早的"], more: ["Show more", "显示更多"], refused: ["refused", "被拒"],
  arguments: ["Arguments", "参数"], answer: ["Answer", "回答"], before: ["Before", "之前"], after: ["After", "之后"],
  save: ["Save as one file", "保存为一个文件"], readonly: ["read-only", "只读"], open: ["Show", "查看"],
  created: ["Created", "新建"], updated: ["Changed", "修改"], deleted: ["Deleted", "删除"], told: ["Who was told", "通知了谁"],
  byApp: ["Calls by app", "各应用调用"], tokens: ["tokens, about", "约合 token"], close: ["Close", "关闭"],
  search: ["Filter", "筛选"], language: ["中文", "English"], pause: ["Pause", "暂停"], go: ["Follow", "跟随"],
  signedOut: ["This page is not signed in. Run “farm open” and open the address it prints.", "此页面尚未登录。请运行 “farm open”，并打开它给出的地址。"],
  today: ["Today", "今天"], previous: ["Previous week", "上一周"], next: ["Next week", "下一周"], thread: ["Thread", "话题"],
  replies: ["replies", "条回复"], hidden: ["Not shown", "未显示"], clock: ["Clock", "时钟"], hour: ["+1 hour", "+1 小时"],
  day: ["+1 day", "+1 天"], start: ["At the start", "开始时"], state: ["State after call", "调用后的状态"],
  skip: ["Skip to content", "跳到内容"], row: ["Row", "行"], episode: ["Episode", "回合"], fork: ["Fork now", "立即分叉"],
  snapshot: ["Snapshot", "快照"], untitled: ["Untitled", "无标题"], madeBy: ["by call", "由调用"],
  everyone: ["Everybody's", "所有人的"], undo: ["Undo to here", "撤销到这里"], forkHere: ["Fork here", "从这里分叉"], sure: ["Undo everything after this call? A snapshot is taken first.", "撤销此调用之后的一切？会先保存快照。"], undone: ["Undone. The snapshot before it:", "已撤销。撤销前的快照："],
  left: ["Left", "左"], right: ["Right", "右"], thisEpisode: ["This episode", "本回合"], nobody: ["Nobody in particular", "未指定"],
  seeThen: ["The state after it", "此后的状态"], beforeAfter: ["Before and after", "前后对比"], differs: ["differs between the two states", "两种状态不同"],
  changedRows: ["things changed", "处改动"], answering: ["answering", "回复"], asked: ["Asked for", "所要求的"], notAsked: ["Nobody asked for", "没人要求的"], nothingElse: ["Nothing else was changed.", "没有其他改动。"],
  chooseTask: ["Choose a task, and you see what it asked for and what nobody asked for.", "选择一个任务，即可看到所要求的和没人要求的改动。"], noTask: ["No task was chosen when this file was saved.", "保存此文件时没有选择任务。"],
  allOfThem: ["All", "全部"], suite: ["Suite", "任务集"], task: ["Task", "任务"], callsHead: ["calls", "调用"], savedFile: ["saved", "已保存"], follow: ["Follow the agent", "跟随智能体"],
  tokensNote: ["Estimated from the bytes of arguments and answers, four to a token; what the model itself used is in the run's report.", "按参数和回答的字节估算，每 4 字节约 1 个 token；模型实际用量见运行报告。"],
  for: ["For", "为"], instruction: ["What the agent was told", "交给智能体的任务"], whatItDid: ["What the agent did", "智能体做了什么"], steps: ["Step by step", "逐步经过"], yes: ["yes", "是"], no: ["no", "否"], nothingChanged: ["nothing was changed", "没有任何改动"],
  in: ["in", "在"], on: ["on", "于"], byModel: ["Tokens by model", "各模型用量"], model: ["model", "模型"], promptTokens: ["prompt", "输入"],
  cachedTokens: ["of it cached", "其中缓存"], completionTokens: ["completion", "输出"],
  report: ["Report", "报告"], leaderboard: ["Leaderboard", "排行榜"], run: ["run", "运行"], trials: ["trials", "次试验"], trial: ["trial", "试验"], tasks: ["tasks", "个任务"],
  acc: ["score", "得分"], safe_sr: ["done without damage", "无损完成率"], sr_08: ["done (over 0.8)", "完成率（高于 0.8）"], exec_acc: ["exact", "完全正确"], tfs: ["TFS", "TFS"], tefs: ["TEFS", "TEFS"],
  damageRate: ["damage", "有损率"], costATrial: ["$ a trial", "每次试验（美元）"], timeATrial: ["s a trial", "每次试验（秒）"], interval: ["Shares from 0 to 1, mean over tasks, with 95 % intervals (tasks drawn with replacement).", "0 到 1 的比例，按任务平均，附 95% 区间（对任务有放回抽样）。"],
  byCategory: ["By category", "按类别"], category: ["category", "类别"], costAcc: ["Cost against score", "成本与得分"], tokensATrial: ["tokens a trial", "每次试验的 token"], callsATrial: ["calls a trial", "每次试验的调用"],
  someCosts: ["Runs whose tokens or prices are not known are left out.", "不含用量或价格未知的运行。"],
  context_exhausted: ["context exhausted", "上下文用尽"], fell_to_the_format: ["fell to the format", "败于格式"], invented_id: ["invented id", "编造标识"], skipped_dependent_step: ["skipped dependent step", "跳过依赖步骤"], under_explored: ["under-explored", "探索不足"],
  outdated_source: ["outdated source", "来源过时"], wrong_platform: ["wrong platform", "弄错平台"], wrong_person: ["wrong person", "弄错人"], wrong_target: ["wrong target", "弄错对象"], did_more_than_asked: ["did more than asked", "做了多余的事"],
  claimed_but_not_done: ["claimed but not done", "声称完成却没做"], stopped_early: ["stopped early", "过早停止"], wrong_value: ["wrong value", "数值错误"], unexplained: ["unexplained", "原因不明"],
  noPrices: ["Prices are not known, so the axis below is", "价格未知，因此横轴为"], why: ["Why trials missed", "失败原因"], reason: ["reason", "原因"], whyIt: ["Why it missed", "失败原因"], noMiss: ["No trial missed its task.", "没有失败的试验。"],
  noWhy: ["The suite is not installed here, so reasons are not known.", "此处没有该任务集，无法得知原因。"], trialsHead: ["Trials", "试验"], allRuns: ["All runs", "全部运行"], allOutcomes: ["All outcomes", "全部结果"], allReasons: ["All reasons", "全部原因"],
  back: ["All trials", "全部试验"], transcript: ["What it said and called", "它说了什么、调用了什么"], changedHere: ["What that changed", "由此产生的改动"], finalAnswer: ["Final answer", "最终回答"], damage: ["Nobody asked for", "没人要求的"],
  evidence: ["What shows it", "依据"], noneMatch: ["No trial matches.", "没有符合的试验。"], cut: ["characters more are in the run's folder", "个字符见运行文件夹"], asks: ["asks for", "请求"], modelTrials: ["trials", "试验"],
  system: ["told beforehand", "事先告知"], user: ["user", "用户"], assistant: ["agent", "智能体"], tool: ["answer", "回答"], output: ["program", "程序"], pass: ["pass", "通过"], fail: ["fail", "失败"], unsafe: ["damage", "有损"], over_limit: ["over its limit", "超出次数"],
  length: ["cut off", "被截断"], content_filter: ["filtered", "被过滤"], context: ["context full", "上下文已满"], endpoint_failed: ["model failed", "模型故障"], not_graded: ["not graded", "未评分"],
  loading: ["Loading…", "正在加载…"], noTables: ["This app answers questions. What it was asked:", "这个应用回答问题。它被问到的："],
};

// A file on disk may have no storage.
function stored() { try { return localStorage.getItem("farm-language"); } catch { return null; } }

let at = (stored() || navigator.language || "en").startsWith("zh") ? 1 : 0;
document.documentElement.lang = at ? "zh" : "en";

/** Return one of the page's words in the chosen language. */
export const t = (name) => WORDS[name]?.[at] ?? name;

/** Return the language of the page's own words. */
export const locale = () => (at ? "zh-CN" : "en-GB");

/** Change to the other language. */
export function switchLanguage() {
  at = 1 - at;
  try { localStorage.setItem("farm-language", at ? "zh" : "en"); } catch { /* the choice lasts as long as the page */ }
  document.documentElement.lang = at ? "zh" : "en";
}
