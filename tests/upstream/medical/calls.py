"""The calls made to the real server and to ours: of each tool, what is found, what is not, and what does not fit."""

from __future__ import annotations

from tests.upstream.real import call

DRUGS = [
    call("search-drugs", query="ibuprofen"),
    call("search-drugs", query="Advil", limit=1),
    call("search-drugs", query="Children's Motrin"),
    call("search-drugs", query="neomycin sulfate", limit=3),
    call("search-drugs", query="cough syrup", limit=50),
    call("search-drugs", query="tablet"),
    call("search-drugs", query="ab"),
    call("search-drugs", query="xyzzyol"),
    call("search-drugs", query="aspirin", limit=51),
    call("get-drug-details", ndc="98007-0100"),
    call("get-drug-details", ndc="98001-0100"),
    call("get-drug-details", ndc="98004-0100"),
    call("get-drug-details", ndc="0573-0164"),
    call("get-drug-details"),
    call("search-drug-nomenclature", query="acetaminophen"),
    call("search-drug-nomenclature", query="EpiPen"),
    call("search-drug-nomenclature", query="xyzzyol"),
    call("search-drug-nomenclature", query=None),
]

STATISTICS = [
    call("get-health-statistics", indicator="Life expectancy"),
    call("get-health-statistics", indicator="Life expectancy", country="SGP", limit=1),
    call("get-health-statistics", indicator="infant mortality"),
    call("get-health-statistics", indicator="Maternal mortality rates", country="DEU"),
    call("get-health-statistics", indicator="obesity", country="CHN", limit=20),
    call("get-health-statistics", indicator="HIV"),
    call("get-health-statistics", indicator="malaria", country="CHN"),
    call("get-health-statistics", indicator="Alzheimer's"),
    call("get-health-statistics", indicator="tuberculosis", country="XXX"),
    call("get-health-statistics", indicator="xyzzy"),
    call("get-health-statistics", country="USA"),
]

ARTICLES = [
    call("search-medical-literature", query="peanut allergy"),
    call("search-medical-literature", query="sleep light", max_results=20),
    call("search-medical-literature", query="flicker", max_results=1),
    call("search-medical-literature", query="xyzzy"),
    call("search-medical-literature", query="asthma", max_results=0),
    call("get-article-details", pmid="90003370"),
    call("get-article-details", pmid="90005193"),
    call("get-article-details", pmid="1"),
    call("get-article-details", pmid=90003370),
    call("search-clinical-guidelines", query="asthma"),
    call("search-clinical-guidelines", query="children"),
    call("search-clinical-guidelines", query="antibiotics", organization="World Health Organization"),
    call("search-clinical-guidelines", query="hypertension", organization="WHO"),
    call("search-clinical-guidelines", query="xyzzy"),
    call("search-medical-databases", query="melatonin"),
    call("search-medical-databases", query="asthma"),
    call("search-medical-databases", query="xyzzy"),
    call("search-google-scholar", query="melatonin"),
    call("search-google-scholar", query="xyzzy"),
    call("search-medical-journals", query="sleep"),
    call("search-medical-journals", query="xyzzy"),
]

CHILDREN = [
    call("search-pediatric-drugs", query="aspirin"),
    call("search-pediatric-drugs", query="ibuprofen", limit=1),
    call("search-pediatric-drugs", query="fluoxetine"),
    call("search-pediatric-drugs", query="glipizide"),
    call("search-pediatric-literature", query="sleep", max_results=5),
    call("search-pediatric-literature", query="myopia"),
    call("search-pediatric-literature", query="xyzzy"),
    call("search-pediatric-guidelines", query="sleep"),
    call("search-pediatric-guidelines", query="asthma", source="bright-futures"),
    call("search-pediatric-guidelines", query="peanut", source="aap-policy"),
    call("search-pediatric-guidelines", query="xyzzy", source="bright-futures"),
    call("search-pediatric-guidelines", query="sleep", source="cdc"),
    call("search-aap-guidelines", query="vaccine"),
    call("search-aap-guidelines", query="xyzzy"),
    call("get-child-health-statistics", indicator="Infant mortality", country="CHN"),
    call("get-child-health-statistics", indicator="immunization coverage among 1-year-olds"),
    call("get-child-health-statistics", indicator="xyzzy", limit=4),
    call("get-child-health-statistics", indicator="Life expectancy"),
    call("get-child-health-statistics", indicator="infant", country="Cote d'Ivoire"),
]

REPEATED = [
    call("get-cache-stats"),
    call("search-drugs", query="ibuprofen"),
    call("search-drugs", query="ibuprofen", limit=10),
    call("get-cache-stats"),
    call("no-such-tool"),
]

TODAY = [*DRUGS, *STATISTICS, *ARTICLES, *CHILDREN, *REPEATED]

_NEWER = {
    *("get-cache-stats", "search-pediatric-guidelines", "search-pediatric-literature", "search-pediatric-drugs"),
    *("get-child-health-statistics", "search-aap-guidelines"),
}
AUTUMN = [
    *(each for each in (*DRUGS, *STATISTICS, *ARTICLES) if each[0] not in _NEWER),
    call("check-drug-interactions", drug1="warfarin", drug2="ibuprofen"),
    call("check-drug-interactions", drug1="Sertraline", drug2="tramadol"),
    call("check-drug-interactions", drug1="levothyroxine", drug2="ferrous sulfate"),
    call("check-drug-interactions", drug1="caffeine", drug2="amoxicillin"),
    call("check-drug-interactions", drug1="caffeine"),
    call("no-such-tool"),
]
