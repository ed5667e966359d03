"""Every tool of the server, in its order. All but one look something up, and the server's cache takes note of it."""

from farm.appkit import Tool

from . import aap, articles, autumn_2025, databases, drugs, guidelines, lookups, nomenclature, statistics

_CACHE = ("cache_entries", "cache_counts")

TOOLS = (
    Tool("search-drugs", drugs.search_drugs, writes=_CACHE),
    Tool("get-drug-details", drugs.get_drug_details, writes=_CACHE),
    Tool("get-health-statistics", statistics.get_health_statistics, writes=_CACHE),
    Tool("search-medical-literature", articles.search_medical_literature, writes=_CACHE),
    Tool("get-article-details", articles.get_article_details, writes=_CACHE),
    Tool("search-drug-nomenclature", nomenclature.search_drug_nomenclature, writes=_CACHE),
    Tool("search-google-scholar", databases.search_google_scholar, writes=_CACHE),
    Tool("search-clinical-guidelines", guidelines.search_clinical_guidelines, writes=_CACHE),
    Tool("search-medical-databases", databases.search_medical_databases, writes=_CACHE),
    Tool("search-medical-journals", databases.search_medical_journals, writes=_CACHE),
    Tool("get-cache-stats", lookups.get_cache_stats),
    Tool("search-pediatric-guidelines", aap.search_pediatric_guidelines, writes=_CACHE),
    Tool("search-pediatric-literature", articles.search_pediatric_literature, writes=_CACHE),
    Tool("get-child-health-statistics", statistics.get_child_health_statistics, writes=_CACHE),
    Tool("search-pediatric-drugs", drugs.search_pediatric_drugs, writes=_CACHE),
    Tool("search-aap-guidelines", aap.search_aap_guidelines, writes=_CACHE),
)

# The server of October 2025 kept nothing.
AUTUMN_2025 = (
    Tool("search-drugs", autumn_2025.search_drugs),
    Tool("get-drug-details", autumn_2025.get_drug_details),
    Tool("get-health-statistics", autumn_2025.get_health_statistics),
    Tool("search-medical-literature", autumn_2025.search_medical_literature),
    Tool("get-article-details", autumn_2025.get_article_details),
    Tool("search-drug-nomenclature", autumn_2025.search_drug_nomenclature),
    Tool("search-google-scholar", autumn_2025.search_google_scholar),
    Tool("search-clinical-guidelines", autumn_2025.search_clinical_guidelines),
    Tool("check-drug-interactions", autumn_2025.check_drug_interactions),
    Tool("search-medical-databases", autumn_2025.search_medical_databases),
    Tool("search-medical-journals", autumn_2025.search_medical_journals),
)
