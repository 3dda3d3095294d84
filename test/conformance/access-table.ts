// oxlint-disable max-lines -- a row and a request for each operation of the service
import type { OperationName } from '@svc/contracts';
import type { Scope } from '@svc/domain';
import { password } from '../support/sessions.ts';

/**
 * Who may do what (service 5.3): the status that each caller gets. `user`, `member` and `owner` are
 * other accounts; the owner, a member too, has submitted the jobs; `token` is a stranger's API token
 * with the scope alone and `own` is such a token of the owner's. An operation that names a job or a case
 * has a row for a public or shared one and another for a private one.
 */
const table = `
operation                visitor  user  member  owner  admin  scope       token  own
uploadFile               202      202   202     202    202    job:submit  202    202
submitJob                401      202   202     202    202    job:submit  202    202
createPublicUpload       201      201   201     201    201    job:submit  201    201
createUpload             401      201   201     201    201    job:submit  201    201
receiveUpload            204      204   204     204    204    job:submit  204    204
resubmitJob    public    401      403   403     202    202    -
resubmitJob    private   401      404   404     202    202    -
rerunJobs      public    401      202   202     202    202    job:submit  202    202
rerunJobs      private   401      202   202     202    202    job:submit  202    202
getSubmission  public    401      404   404     200    404    job:submit  404    200
getSubmission  private   401      404   404     200    404    job:submit  404    200
submitSample             202      202   202     202    202    -
detectPreview            200      200   200     200    200    -
listWorkflows            200      200   200     200    200    job:submit  200    200
getJobStates   public    200      200   200     200    200    job:read    200    200
getJobStates   private   200      200   200     200    200    job:read    200    200
getHome                  200      200   200     200    200    -
listJobs                 200      200   200     200    200    -
createBatch    public    404      404   404     200    200    job:submit  404    200
createBatch    private   404      404   404     200    200    job:submit  404    200
getBatch       public    200      200   200     200    200    job:read    200    200
getBatch       private   404      404   404     200    200    job:read    404    200
compareJobs    public    200      200   200     200    200    job:read    200    200
compareJobs    private   404      404   404     200    200    job:read    404    200
listSavedSearches        401      403   200     200    200    -
saveSearch               401      403   200     200    200    -
changeSavedSearch        401      403   404     404    404    -
deleteSavedSearch        401      403   404     404    404    -
lookAtSearch             401      403   404     404    404    -
listAiProviders          401      403   403     403    200    -
createAiProvider         401      403   403     403    201    -
changeAiProvider         401      403   403     403    200    -
toggleAiProvider         401      403   403     403    200    -
setDefaultAiProvider     401      403   403     403    200    -
clearAiProviderToken     401      403   403     403    200    -
duplicateAiProvider      401      403   403     403    201    -
deleteAiProvider         401      403   403     403    200    -
testAiProvider           401      403   403     403    200    -
listJobAiRuns public     200      200   200     200    200    -
listJobAiRuns private    404      404   404     200    200    -
getJobAiFacts public     200      200   200     200    200    -
getJobAiFacts private    404      404   404     200    200    -
startJobAiRun public     401      403   202     202    202    -
startJobAiRun private    401      403   404     202    202    -
followJobAiRun public    200      200   200     200    200    -
followJobAiRun private   404      404   404     200    200    -
cancelJobAiRun public    401      403   403     200    200    -
cancelJobAiRun private   401      404   404     200    200    -
deleteJobAiRuns public   401      403   403     200    200    -
deleteJobAiRuns private  401      404   404     200    200    -
listCaseAiRuns public    401      403   200     200    200    -
listCaseAiRuns private   401      403   404     200    200    -
getCaseAiFacts public    401      403   200     200    200    -
getCaseAiFacts private   401      403   404     200    200    -
startCaseAiRun public    401      403   202     202    202    -
startCaseAiRun private   401      403   404     202    202    -
followCaseAiRun public   401      403   200     200    200    -
followCaseAiRun private  401      403   404     200    200    -
cancelCaseAiRun public   401      403   403     200    200    -
cancelCaseAiRun private  401      403   404     200    200    -
deleteCaseAiRuns public  401      403   403     200    200    -
deleteCaseAiRuns private 401      403   404     200    200    -
listWebhookDeliveries    401      403   200     200    200    -
getWebhookDelivery       401      403   404     200    404    -
redeliverWebhook         401      403   404     202    404    -
testWebhook              401      403   404     202    202    -
suggestJobSearch         200      200   200     200    200    -
getJob         public    200      200   200     200    200    -
getJob         private   404      404   404     200    200    -
getJobProgress public    200      200   200     200    200    -
getJobProgress private   404      404   404     200    200    -
listFindings   public    200      200   200     200    200    -
listFindings   private   404      404   404     200    200    -
exportFindings public    200      200   200     200    200    -
exportFindings private   404      404   404     200    200    -
exportFindingsCsv public 200      200   200     200    200    -
exportFindingsCsv private 404     404   404     200    200    -
getAnalytics public      200      200   200     200    200    -
getAnalytics private     404      404   404     200    200    -
getAgreement   public    200      200   200     200    200    -
getAgreement   private   404      404   404     200    200    -
getWhatHappened public   200      200   200     200    200    -
getWhatHappened private  404      404   404     200    200    -
getProcessTree public    200      200   200     200    200    -
getProcessTree private   404      404   404     200    200    -
getEventsTimeline public 200      200   200     200    200    -
getEventsTimeline private 404      404   404     200    200    -
getAlertMarkers public   200      200   200     200    200    -
getAlertMarkers private  404      404   404     200    200    -
getMitreLayer public     200      200   200     200    200    -
getMitreLayer private    404      404   404     200    200    -
getSimilarFiles public   200      200   200     200    200    -
getSimilarFiles private  404      404   404     200    200    -
getCorrelatedJobs public 200      200   200     200    200    -
getCorrelatedJobs private 404     404   404     200    200    -
getFindingsNaming public 200      200   200     200    200    -
getFindingsNaming private 404     404   404     200    200    -
getFindingEvents public  200      200   200     200    200    -
getFindingEvents private 404      404   404     200    200    -
listFindingMatches public  200      200   200     200    200    -
listFindingMatches private  404      404   404     200    200    -
groupFindingMatches public  200      200   200     200    200    -
groupFindingMatches private  404      404   404     200    200    -
gatherFindingMatches public  401 202 202 202 202 -
gatherFindingMatches private 401 404 404 202 202 -
getMatchGathering public 401     200   200     200    200    -
getMatchGathering private 401    404   404     200    200    -
exportFindingMatches public 200 200 200 200 200 -
exportFindingMatches private 404 404 404 200 200 -
explainFinding public    200      200   200     200    200    -
explainFinding private   404      404   404     200    200    -
getFindingRule public    200      200   200     200    200    -
getFindingRule private   404      404   404     200    200    -
listReviews    public    401      200   200     200    200    -
listReviews    private   401      404   404     200    200    -
reviewFindings public    401      403   200     200    200    -
reviewFindings private   401      403   404     200    200    -
listReviewers  public    401      403   200     200    200    -
listReviewers  private   401      403   404     200    200    -
cancelJob      public    401      403   403     200    200    -
cancelJob      private   401      404   404     200    200    -
deleteJob                401      403   403     403    200    -
deleteJobs               401      403   403     403    200    -
downloadFile   public    401      403   403     403    200    -
downloadFile   private   401      403   403     403    200    -
exportRaw      public    401      403   403     403    404    -
exportRaw      private   401      403   403     403    404    -
listRawOutputs public    401      403   403     403    200    -
listRawOutputs private   401      403   403     403    200    -
getTaskLog               401      403   403     403    404    -
exportAnalytics public   401      403   403     403    404    -
exportAnalytics private  401      403   403     403    404    -
recoverStuckJobs         401      403   403     403    200    -
recalculateAnalytics public  401 403 403 403 202 -
recalculateAnalytics private 401 403 403 403 202 -
getDashboard             401      403   403     403    200    -
getReadiness             401      403   403     403    503    readiness:read 403 403
runReadiness             401      403   403     403    200    -
listActivity             401      403   403     403    200    -
exportActivityCsv        401      403   403     403    200    -
exportActivityJson       401      403   403     403    200    -
listActivityHeads        401      403   403     403    200    -
pruneActivity            401      403   403     403    200    -
createCase               401      403   201     201    201    case:write  201    201
getCase        public    401      403   200     200    200    -
getCase        private   401      403   404     200    200    -
listCaseNarratives public 401 403 200 200 200 -
listCaseNarratives private 401 403 404 200 200 -
listCaseEntities public 401 403 200 200 200 -
listCaseEntities private 401 403 404 200 200 -
listCaseJobs public 401 403 200 200 200 -
listCaseJobs private 401 403 404 200 200 -
getCaseSummary public 401 403 200 200 200 -
getCaseSummary private 401 403 404 200 200 -
getCasePivots public 401 403 200 200 200 -
getCasePivots private 401 403 404 200 200 -
addCaseEntity public 401 403 200 200 200 -
addCaseEntity private 401 403 404 200 200 -
addCaseEntities public 401 403 200 200 200 -
addCaseEntities private 401 403 404 200 200 -
addCaseJob public 401 403 200 200 200 -
addCaseJob private 401 403 404 200 200 -
addCaseJobs public 401 403 200 200 200 -
addCaseJobs private 401 403 404 200 200 -
addCaseJobEntities public 401 403 200 200 200 -
addCaseJobEntities private 401 403 404 200 200 -
editCase public 401 403 403 200 200 -
editCase private 401 403 404 200 200 -
changeCaseStatus public 401 403 403 200 200 -
changeCaseStatus private 401 403 404 200 200 -
writeCaseNarrative public 401 403 403 200 200 -
writeCaseNarrative private 401 403 404 200 200 -
addCaseCollaborator public 401 403 403 200 200 -
addCaseCollaborator private 401 403 404 200 200 -
removeCaseCollaborator public 401 403 403 200 200 -
removeCaseCollaborator private 401 403 404 200 200 -
noteCaseEntity public 401 403 403 200 200 -
noteCaseEntity private 401 403 404 200 200 -
noteCaseJob public 401 403 403 200 200 -
noteCaseJob private 401 403 404 200 200 -
removeCaseEntity public 401 403 403 204 204 -
removeCaseEntity private 401 403 404 204 204 -
removeCaseEntities public 401 403 403 204 204 -
removeCaseEntities private 401 403 404 204 204 -
removeCaseJob public 401 403 403 204 204 -
removeCaseJob private 401 403 404 204 204 -
deleteCase public 401 403 403 204 204 -
deleteCase private 401 403 404 204 204 -
getCaseDetail public 401 403 200 200 200 case:read 200 200
getCaseDetail private 401 403 404 200 200 case:read 404 200
findCaseEntities public 401 403 200 200 200 case:read 200 200
findCaseEntities private 401 403 404 200 200 case:read 404 200
openCase 401 403 201 201 201 -
quickCreateCase public 401 403 201 201 201 -
quickCreateCase private 401 403 404 201 201 -
findCases 401 403 200 200 200 -
pickCaseMembers 401 403 200 200 200 -
pickCaseEntities 401 403 200 200 200 -
pickCaseJobs public 401 403 200 200 200 -
pickCaseJobs private 401 403 200 200 200 -
getCaseTimeline public   401      403   200     200    200    -
getCaseTimeline private  401      403   404     200    200    -
getCaseEvents  public    401      403   200     200    200    -
getCaseEvents  private   401      403   404     200    200    -
getClockHints  public    401      403   200     200    200    -
getClockHints  private   401      403   404     200    200    -
setCaseClock   public    401      403   403     200    200    -
setCaseClock   private   401      403   404     200    200    -
listCaseFindings public  401      403   200     200    200    -
listCaseFindings private 401      403   404     200    200    -
getCaseActors  public    401      403   200     200    200    -
getCaseActors  private   401      403   404     200    200    -
getCaseGraph   public    401      403   200     200    200    case:read   200    200
getCaseGraph   private   401      403   404     200    200    case:read   404    200
exportCaseGraph public   401      403   200     200    200    -
exportCaseGraph private  401      403   404     200    200    -
getCaseGraphActive public 401     403   200     200    200    -
getCaseGraphActive private 401    403   404     200    200    -
getCaseProcessTree public 401     403   200     200    200    -
getCaseProcessTree private 401    403   404     200    200    -
listCases                401      403   200     200    200    case:read   200    200
listComments   public    401      200   200     200    200    -
listComments   private   401      404   404     200    200    -
addComment     public    401      200   200     200    200    -
addComment     private   401      404   404     200    200    -
editComment    public    401      403   403     200    403    -
editComment    private   401      404   404     200    403    -
deleteComment  public    401      403   403     200    200    -
deleteComment  private   401      404   404     200    200    -
watchJob       public    401      200   200     200    200    -
watchJob       private   401      404   404     200    200    -
listWatchedJobs          401      200   200     200    200    -
acknowledgeWatchedJob public 401  200   200     200    200    -
acknowledgeWatchedJob private 401 200   200     200    200    -
unwatchJob     public    401      200   200     200    200    -
unwatchJob     private   401      200   200     200    200    -
countNotifications       401      200   200     200    200    -
listNotifications        401      200   200     200    200    -
acknowledgeNotification public 401 404  404     200    404    -
acknowledgeNotification private 401 404 404     200    404    -
acknowledgeNotifications 401      200   200     200    200    -
restoreNotifications     401      200   200     200    200    -
getIntel public          401      403   200     200    200    intel:read  200    200
getIntel private         401      403   200     200    200    intel:read  200    200
listEntities public      401      403   200     200    200    intel:read  200    200
listEntities private     401      403   200     200    200    intel:read  200    200
listEntityIds public     401      403   200     200    200    intel:read  200    200
listEntityIds private    401      403   200     200    200    intel:read  200    200
searchNews               401      403   404     404    404    -
suggestEntitySearch      401      403   200     200    200    intel:read  200    200
getEntity public         401      403   200     200    200    intel:read  200    200
getEntity private        401      403   200     200    200    intel:read  200    200
getEntityEnrichment      401      403   200     200    200    intel:read  200    200
enrichEntity             401      403   200     200    200    -
getRawEnrichment         401      403   200     200    200    intel:read  200    200
bulkEnrich               401      403   202     202    202    -
enrichCase     public    401      403   202     202    202    -
enrichCase     private   401      403   404     202    202    -
listCaseEnrichment public  401    403   200     200    200    -
listCaseEnrichment private 401    403   404     200    200    -
getEnrichmentRun         401      403   404     200    200    -
cancelEnrichmentRun      401      403   404     200    200    -
listEntityJobs           401      403   200     200    200    intel:read  200    200
getEntitySightings       401      403   200     200    200    intel:read  200    200
getEntityThreats         401      403   200     200    200    intel:read  200    200
listAssociatedEntities   401      403   200     200    200    intel:read  200    200
listEntityFindings public  401      403   200     200    200    intel:read  200    200
listEntityFindings private  401      403   200     200    200    intel:read  200    200
listEntityRelationships public  401      403   200     200    200    intel:read  200    200
listEntityRelationships private  401      403   200     200    200    intel:read  200    200
listEntitiesTogether     401      403   200     200    200    intel:read  200    200
getEntityProcessTree public  401  403   200     200    200    intel:read  200    200
getEntityProcessTree private 401  403   200     200    200    intel:read  200    200
getEntityMitre public    401      403   200     200    200    intel:read  200    200
getEntityMitre private   401      403   200     200    200    intel:read  200    200
getEntityMitreLayer      401      403   200     200    200    intel:read  200    200
getIntelMitreLayer       401      403   200     200    200    intel:read  200    200
getRelationshipTimespan  401      403   200     200    200    intel:read  200    200
listRelationshipEvidence 401      403   200     200    200    intel:read  200    200
listJobFindings public    401      403   200     200    200    intel:read  200    200
listJobFindings private   401      403   404     200    200    intel:read  404    200
getSeenBefore  public    401      403   200     200    200    intel:read  200    200
getSeenBefore  private   401      403   404     200    200    intel:read  404    200
lookUpEntities public    401      403   200     200    200    intel:read  200    200
lookUpEntities private   401      403   404     200    200    intel:read  404    200
getGraphSchema           401      403   200     200    200    intel:read  200    200
getEntityGraph public    401      403   200     200    200    intel:read  200    200
getEntityGraph private   401      403   200     200    200    intel:read  200    200
exportEntityGraph public   401    403   200     200    200    intel:read  200    200
exportEntityGraph private  401    403   200     200    200    intel:read  200    200
countGraphNeighbours public  401  403   200     200    200    intel:read  200    200
countGraphNeighbours private 401  403   200     200    200    intel:read  200    200
findGraphPath public     401      403   200     200    200    intel:read  200    200
findGraphPath private    401      403   200     200    200    intel:read  200    200
getIocFeed               401      403   200     200    200    ioc_feed:read  200    200
exportCaseStix public    401      403   200     200    200    case:read   200    200
exportCaseStix private   401      403   404     200    200    case:read   404    200
exportCaseMisp public    401      403   200     200    200    case:read   200    200
exportCaseMisp private   401      403   404     200    200    case:read   404    200
getCaseIocPack public    401      403   200     200    200    case:read   200    200
getCaseIocPack private   401      403   404     200    200    case:read   404    200
getFeeds                 401      403   200     200    200    intel:read     200    200
getMispManifest          401      403   200     200    200    ioc_feed:read  200    200
getMispEvent             401      403   404     404    404    ioc_feed:read  404    404
listMispHashes           401      403   200     200    200    ioc_feed:read  200    200
getTaxiiDiscovery        401      401   401     401    401    taxii:read  200    200
getTaxiiRoot             401      401   401     401    401    taxii:read  200    200
listTaxiiCollections     401      401   401     401    401    taxii:read  200    200
getTaxiiCollection       401      401   401     401    401    taxii:read  200    200
listTaxiiObjects         401      401   401     401    401    taxii:read  200    200
getTaxiiManifest         401      401   401     401    401    taxii:read  200    200
getTaxiiObject           401      401   401     401    401    taxii:read  200    200
listTaxiiVersions        401      401   401     401    401    taxii:read  200    200
exportEntityStix         401      403   200     200    200    intel:read  200    200
getEntityIocPack         401      403   200     200    200    intel:read  200    200
countEntityLinks public   401      403   200     200    200    intel:read  200    200
countEntityLinks private  401      403   200     200    200    intel:read  200    200
suggestAliases           401      403   200     200    200    intel:read  200    200
uniteEntities            401      403   200     200    200    -
separateEntity           401      403   200     200    200    -
toggleAllowlist          401      403   200     200    200    -
writeEntityNote          401      403   200     200    200    -
tagEntity                401      403   200     200    200    -
untagEntity              401      403   200     200    200    -
tagEntities              401      403   200     200    200    intel:tag   200    200
untagEntities            401      403   200     200    200    intel:tag   200    200
allowlistEntities        401      403   200     200    200    -
listAlertRules           401      403   200     200    200    -
getAlertRule             401      403   404     200    200    -
createAlertRule          401      403   201     201    201    -
changeAlertRule          401      403   404     200    200    -
toggleAlertRule          401      403   404     200    200    -
deleteAlertRule          401      403   404     204    204    -
previewAlertRule         401      403   200     200    200    -
dryRunAlertRule          401      403   200     200    200    -
listAlertRuleVersions    401      403   404     200    200    -
restoreAlertRule         401      403   404     200    200    -
promoteSet               401      403   403     403    200    -
beginBacktest            401      403   202     202    202    -
listBacktests            401      403   200     200    200    -
getBacktest              401      403   404     404    404    -
cancelBacktest           401      403   404     404    404    -
toggleStar               401      403   200     200    200    -
listTags                 401      403   200     200    200    intel:read  200    200
createTags               401      403   200     200    200    -
renameTag                401      403   200     200    200    -
mergeTags                401      403   200     200    200    -
recolorTag               401      403   200     200    200    -
deleteTag                401      403   200     200    200    -
suggestTags              401      403   200     200    200    intel:read  200    200
tagJob         public    401      403   200     200    200    -
tagJob         private   401      403   404     200    200    -
untagJob       public    401      403   200     200    200    -
untagJob       private   401      403   404     200    200    -
tagJobs        public    401      403   200     200    200    -
tagJobs        private   401      403   200     200    200    -
untagJobs      public    401      403   200     200    200    -
untagJobs      private   401      403   200     200    200    -
login                    204      204   204     204    204    -
logout                   204      204   204     204    204    -
getSession               200      200   200     200    200    -
getMe                    401      200   200     200    200    -
updateMe                 401      200   200     200    200    -
confirmPassword          401      204   204     204    204    -
listSessions             401      200   200     200    200    -
endSession               401      404   404     204    404    -
endOtherSessions         401      200   200     200    200    -
getTriagePlan            200      200   200     200    200    -
getCompiledRules         404      200   200     200    200    -
listPacksInForce         401      403   200     200    200    -
getCoverage              401      403   200     200    200    -
listRulePacks            401      403   403     403    200    rule:write  403    403
getOfferedPack           401      403   403     403    200    rule:write  403    403
importRulePack           401      403   403     403    201    rule:write  403    403
getRulePack              401      403   403     403    200    rule:write  403    403
listRules                401      403   200     200    200    -
getRule                  401      403   200     200    200    -
getRulePackReport        401      403   403     403    200    rule:write  403    403
changeRulePack           401      403   403     403    200    rule:write  403    403
deleteRulePack           401      403   403     403    204    rule:write  403    403
overrideRule             401      403   403     403    200    rule:write  403    403
saveRule                 401      403   403     403    200    rule:write  403    403
deleteRule               401      403   403     403    404    rule:write  403    403
testRule                 401      403   200     200    200    -
listSuppressions         401      403   200     200    200    -
previewSuppression       401      403   200     200    200    -
addSuppression           401      403   403     403    201    -
removeSuppression        401      403   404     404    404    -
exportRuleDecisions      401      403   403     403    200    -
importRuleDecisions      401      403   403     403    200    rule:write  403    403
listRuleLists            401      403   200     200    200    intel:read  200    200
getRuleList              401      403   200     200    200    intel:read  200    200
exportAlertRules         401      403   200     200    200    intel:rules 200   200
importAlertRules         401      403   200     200    200    intel:rules 200   200
createRuleList           401      403   403     403    201    -
editRuleList             401      403   403     403    200    -
refreshRuleList          401      403   403     403    409    -
deleteRuleList           401      403   403     403    204    -
listUsers                401      403   403     403    200    -
createUser               401      403   403     403    201    -
setUserRole              401      403   403     403    200    -
setUserActive            401      403   403     403    200    -
setUserPassword          401      403   403     403    200    -
deleteUser               401      403   403     403    204    -
listApiTokens            401      403   403     403    200    -
createApiToken           401      403   403     403    201    -
revokeApiToken           401      403   403     403    204    -
listTasks                401      403   403     403    200    -
runTaskAgain             401      403   403     403    202    -
recoverTask              401      403   403     403    200    -
revokeQueuedTask         401      403   403     403    200    -
listWorkers              401      403   403     403    200    -
listEngines              401      403   403     403    200    -
changeEngine             401      403   403     403    200    -
runEngineTask            401      403   403     403    202    -
limitWorker              401      403   403     403    404    -
cancelBackgroundTask     401      403   403     403    200    -
backfillEntities         401      403   403     403    202    -
backfillSimilarity       401      403   403     403    202    -
backfillAnalytics        401      403   403     403    202    -
cleanUpOutputs           401      403   403     403    202    -
getStorage               401      403   403     403    200    -
getDatabaseSizes         401      403   403     403    200    -
setOutputRetention       401      403   403     403    200    -
runRetention             401      403   403     403    202    -
purgeOrphans             401      403   403     403    202    -
vacuumDatabase           401      403   403     403    202    -
listAlerts               401      403   200     200    200    -
explainAlert             401      403   404     200    200    -
explainJobAlert          401      403   404     200    200    -
acknowledgeAlert         401      403   404     200    200    -
acknowledgeJobAlert      401      403   404     200    200    -
acknowledgeAlerts        401      403   200     200    200    -
backfillBuiltinLabels    401      403   403     403    202    -
backfillEntityAttributes 401      403   403     403    202    -
backfillRelationships    401      403   403     403    202    -
backfillFindingEntityLinks 401    403   403     403    202    -
getSiteSettings          401      403   403     403    200    -
changeSiteSettings       401      403   403     403    200    -
listEnrichmentServices   401      403   403     403    200    -
createEnrichmentService  401      403   403     403    201    -
changeEnrichmentService  401      403   403     403    200    -
toggleEnrichmentService  401      403   403     403    200    -
clearEnrichmentToken     401      403   403     403    200    -
deleteEnrichmentService  401      403   403     403    200    -
listAdminWorkflows       401      403   403     403    200    -
getWorkflow              401      403   403     403    200    -
createWorkflow           401      403   403     403    201    -
changeWorkflow           401      403   403     403    200    -
deleteWorkflow           401      403   403     403    200    -
duplicateWorkflow        401      403   403     403    201    -
resetWorkflow            401      403   403     403    200    -
validateWorkflow         401      403   403     403    200    -
exportWorkflows          401      403   403     403    200    -
importWorkflows          401      403   403     403    200    -
getHealth                200      200   200     200    200    -
getMetrics               401      401   401     401    401    -
getOpenApi               200      200   200     200    200    -
`;

const ownRule = 'title: Own\nlogsource: {product: windows}\ndetection: {s: {EventID: 1}, condition: s}\n';

export type Visibility = 'public' | 'private';
const accounts = ['visitor', 'user', 'member', 'owner', 'admin'] as const;
export type Account = (typeof accounts)[number];

/** A line of the table. */
export interface Expected {
  readonly operation: string;
  /** Null for an operation that names no job. */
  readonly job: Visibility | null;
  readonly statuses: Readonly<Record<Account, number>>;
  readonly tokens: { readonly scope: Scope; readonly status: number; readonly own: number } | null;
}

export const expected: readonly Expected[] = table
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const words = line.split(/\s+/);
    const job = words[1] === 'public' || words[1] === 'private' ? words[1] : null;
    const [scope, status, own] = words.slice(job ? 7 : 6);
    const statuses = words.slice(job ? 2 : 1).map(Number);
    return {
      operation: words[0]!,
      job,
      statuses: Object.fromEntries(
        accounts.map((account, index) => [account, statuses[index]!]),
      ) as Expected['statuses'],
      tokens: scope === '-' ? null : { scope: scope as Scope, status: Number(status), own: Number(own) },
    };
  });

/** What requests are about: one job with all that hangs on it, and things made anew for each request. */
export interface Subject {
  readonly job: number;
  readonly file: number;
  /** A batch with the job alone. */
  readonly batch: number;
  readonly finding: number;
  /** A comment of the owner’s on the job, and a notification of the owner’s of it. */
  readonly comment: number;
  readonly notification: number;
  /** Idempotency key that the owner submitted it with. */
  readonly key: string;
  /** A case of the owner’s with both jobs, shared where the job is public. */
  readonly case: number;
  readonly workflow: number;
  /** One that the private job alone names, two tags, and a task of an administrator’s. */
  readonly entity: number;
  /** Between it and another, which a private job alone shows. */
  readonly relationship: number;
  readonly tags: readonly [string, string];
  readonly task: number;
  /** A task that waits in the queue. */
  readonly queued: string;
  /** One that may go. */
  readonly spareJob: number;
  /** A workflow that nobody uses. */
  readonly spareWorkflow: number;
  /** An enrichment service that has said something of the entity, and a look-up by it that the owner asked for. */
  readonly service: number;
  readonly lookup: number;
  readonly account: string;
  /** One of the owner’s. */
  readonly session: string;
  readonly apiToken: number;
  /** Last segment of the address that `{}` may be sent to. */
  readonly uploadToken: string;
  /** An alert rule of the owner’s with a webhook, an alert of each kind, and a delivery that ended. */
  readonly rule: number;
  readonly alert: number;
  readonly jobAlert: number;
  readonly delivery: string;
  /** An AI provider, and a run of the owner’s over the job or the case: one that waits, where it is to be stopped. */
  readonly provider: number;
  readonly run: number;
  /** A list of values. */
  readonly list: number;
  /** A rule pack, and an upload that holds one. */
  readonly pack: string;
  readonly packUpload: string;
  /** Digest of a set of compiled rules. */
  readonly compiled: string;
  /** Belongs to no account yet. */
  readonly email: string;
}

export interface Request {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Id of a rule in a pack that is asked for its rules. */
export const ruleId = '2f3c1a10-0000-4000-8000-000000000001';

/** The object that says all others, in each collection of TAXII. */
const whoSays = 'identity--23be2008-4828-5f54-b00c-858e1f578cd7';

/** A file that holds `{}`. */
export const announced = {
  filename: 'a.json',
  size_bytes: 2,
  sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
};

/** A good request of every operation; where the operation takes a file, the test adds one. */
export const requests: Record<OperationName, (subject: Subject) => Request> = {
  uploadFile: ({ workflow }) => ({ body: { workflow_id: workflow } }),
  submitJob: ({ workflow }) => ({ body: { workflow_id: workflow } }),
  createPublicUpload: () => ({ body: announced }),
  createUpload: () => ({ body: announced }),
  receiveUpload: ({ uploadToken }) => ({ params: { token: uploadToken }, headers: { 'content-length': '2' } }),
  resubmitJob: ({ file, workflow }) => ({ body: { file_id: file, workflow_id: workflow } }),
  rerunJobs: ({ job }) => ({ body: { job_ids: [job] } }),
  getSubmission: ({ key }) => ({ params: { key } }),
  submitSample: () => ({ params: { name: 'intrusion-powershell' } }),
  detectPreview: () => ({}),
  listWorkflows: () => ({}),
  getJobStates: ({ job }) => ({ query: { ids: String(job) } }),
  getHome: () => ({}),
  listJobs: () => ({}),
  // The public job and the private one.
  createBatch: ({ job }) => ({ body: { job_ids: [job, 1, 2] } }),
  getBatch: ({ batch }) => ({ params: { id: batch } }),
  compareJobs: ({ job }) => ({ query: { a: String(job), b: '1' } }),
  listWebhookDeliveries: () => ({}),
  getWebhookDelivery: ({ delivery }) => ({ params: { id: delivery } }),
  listAiProviders: () => ({}),
  createAiProvider: ({ email }) => ({
    body: { name: email, kind: 'openai', base_url: 'http://127.0.0.1:9/v1', model: 'm' },
  }),
  changeAiProvider: ({ provider: id }) => ({ params: { id }, body: { model: 'n' } }),
  toggleAiProvider: ({ provider: id }) => ({ params: { id } }),
  setDefaultAiProvider: ({ provider: id }) => ({ params: { id } }),
  clearAiProviderToken: ({ provider: id }) => ({ params: { id } }),
  duplicateAiProvider: ({ provider: id }) => ({ params: { id } }),
  deleteAiProvider: ({ provider: id }) => ({ params: { id } }),
  testAiProvider: ({ provider: id }) => ({ params: { id } }),
  listJobAiRuns: ({ job: id }) => ({ params: { id } }),
  getJobAiFacts: ({ job: id, run: rid }) => ({ params: { id, rid } }),
  startJobAiRun: ({ job: id, provider }) => ({ params: { id }, body: { provider_id: provider } }),
  followJobAiRun: ({ job: id, run: rid }) => ({ params: { id, rid } }),
  cancelJobAiRun: ({ job: id, run: rid }) => ({ params: { id, rid } }),
  deleteJobAiRuns: ({ job: id, run }) => ({ params: { id }, body: { analysis_ids: [run] } }),
  listCaseAiRuns: ({ case: id }) => ({ params: { id } }),
  getCaseAiFacts: ({ case: id, run: rid }) => ({ params: { id, rid } }),
  startCaseAiRun: ({ case: id, provider }) => ({ params: { id }, body: { provider_id: provider } }),
  followCaseAiRun: ({ case: id, run: rid }) => ({ params: { id, rid } }),
  cancelCaseAiRun: ({ case: id, run: rid }) => ({ params: { id, rid } }),
  deleteCaseAiRuns: ({ case: id, run }) => ({ params: { id }, body: { analysis_ids: [run] } }),
  redeliverWebhook: ({ delivery }) => ({ params: { id: delivery } }),
  testWebhook: ({ rule }) => ({ params: { id: rule } }),
  listSavedSearches: () => ({}),
  saveSearch: () => ({ body: { name: 'Triage', query: { q: 'sev:critical' } } }),
  changeSavedSearch: () => ({ params: { id: 2_000_000_000 }, body: { name: 'Triage' } }),
  lookAtSearch: () => ({ params: { id: 2_000_000_000 } }),
  deleteSavedSearch: () => ({ params: { id: 2_000_000_000 } }),
  suggestJobSearch: () => ({}),
  getJob: ({ job }) => ({ params: { id: job } }),
  getJobProgress: ({ job }) => ({ params: { id: job } }),
  listFindings: ({ job }) => ({ params: { id: job } }),
  exportFindings: ({ job }) => ({ params: { id: job } }),
  exportFindingsCsv: ({ job }) => ({ params: { id: job } }),
  getAnalytics: ({ job }) => ({ params: { id: job } }),
  getAgreement: ({ job }) => ({ params: { id: job } }),
  getWhatHappened: ({ job }) => ({ params: { id: job } }),
  getProcessTree: ({ job }) => ({ params: { id: job } }),
  getEventsTimeline: ({ job }) => ({ params: { id: job } }),
  getAlertMarkers: ({ job }) => ({ params: { id: job } }),
  getMitreLayer: ({ job }) => ({ params: { id: job } }),
  getSimilarFiles: ({ job }) => ({ params: { id: job } }),
  getCorrelatedJobs: ({ job }) => ({ params: { id: job }, query: { rule_signature: 'a:high' } }),
  getFindingsNaming: ({ job }) => ({ params: { id: job }, query: { value: 'ws01' } }),
  getFindingEvents: ({ finding }) => ({ params: { id: finding } }),
  listFindingMatches: ({ finding }) => ({ params: { id: finding } }),
  groupFindingMatches: ({ finding }) => ({ params: { id: finding }, query: { field: 'Image' } }),
  gatherFindingMatches: ({ finding }) => ({ params: { id: finding } }),
  getMatchGathering: ({ finding }) => ({ params: { id: finding } }),
  exportFindingMatches: ({ finding }) => ({ params: { id: finding } }),
  explainFinding: ({ finding }) => ({ params: { id: finding } }),
  getFindingRule: ({ finding }) => ({ params: { id: finding } }),
  listReviews: ({ job }) => ({ params: { id: job } }),
  reviewFindings: ({ job, finding }) => ({ params: { id: job }, body: { finding_ids: [finding], state: 'benign' } }),
  listReviewers: ({ job }) => ({ params: { id: job } }),
  cancelJob: ({ job }) => ({ params: { id: job } }),
  deleteJob: ({ spareJob }) => ({ params: { id: spareJob } }),
  deleteJobs: ({ spareJob }) => ({ body: { job_ids: [spareJob] } }),
  downloadFile: ({ job }) => ({ params: { id: job } }),
  exportRaw: ({ job }) => ({ params: { id: job } }),
  listRawOutputs: ({ job }) => ({ params: { id: job } }),
  getTaskLog: () => ({ params: { id: 2_000_000_000 } }),
  exportAnalytics: ({ job }) => ({ params: { id: job } }),
  recoverStuckJobs: () => ({}),
  recalculateAnalytics: ({ job }) => ({ params: { id: job } }),
  getDashboard: () => ({}),
  getReadiness: () => ({}),
  runReadiness: () => ({}),
  listActivity: () => ({}),
  exportActivityCsv: () => ({}),
  exportActivityJson: () => ({}),
  listActivityHeads: () => ({}),
  pruneActivity: () => ({ body: { days: 30 } }),
  createCase: () => ({ body: { name: 'Phish wave' } }),
  openCase: () => ({ body: { name: 'Phish wave' } }),
  quickCreateCase: ({ job }) => ({ body: { name: 'Phish wave', job_id: job, note: 'first' } }),
  findCases: () => ({ query: { q: 'wave' } }),
  getCase: ({ case: id }) => ({ params: { id } }),
  editCase: ({ case: id }) => ({ params: { id }, body: { summary: 'Began with a mail' } }),
  changeCaseStatus: ({ case: id }) => ({ params: { id }, body: { status: 'closed', is_shared: false } }),
  writeCaseNarrative: ({ case: id }) => ({ params: { id }, body: { body: 'It began with a mail', if_version: 0 } }),
  listCaseNarratives: ({ case: id }) => ({ params: { id } }),
  deleteCase: ({ case: id }) => ({ params: { id } }),
  pickCaseMembers: () => ({}),
  addCaseCollaborator: ({ case: id, account }) => ({ params: { id }, body: { account_id: account } }),
  removeCaseCollaborator: ({ case: id, account }) => ({ params: { id }, body: { account_id: account } }),
  addCaseEntity: ({ case: id, entity }) => ({ params: { id }, body: { entity_id: entity } }),
  addCaseEntities: ({ case: id, entity }) => ({ params: { id }, body: { entity_ids: [entity] } }),
  addCaseJob: ({ case: id, job }) => ({ params: { id }, body: { job_id: job } }),
  addCaseJobs: ({ case: id, job }) => ({ params: { id }, body: { job_ids: [job] } }),
  addCaseJobEntities: ({ case: id, job }) => ({ params: { id, job_id: job } }),
  noteCaseEntity: ({ case: id, entity }) => ({ params: { id, entity_id: entity }, body: { note: 'first' } }),
  noteCaseJob: ({ case: id, job }) => ({ params: { id, job_id: job }, body: { note: 'first' } }),
  removeCaseEntity: ({ case: id, entity }) => ({ params: { id, entity_id: entity } }),
  removeCaseEntities: ({ case: id, entity }) => ({ params: { id }, body: { entity_ids: [entity] } }),
  removeCaseJob: ({ case: id, job }) => ({ params: { id, job_id: job } }),
  listCaseEntities: ({ case: id }) => ({ params: { id } }),
  listCaseJobs: ({ case: id }) => ({ params: { id } }),
  pickCaseEntities: () => ({ query: { q: 'corp' } }),
  pickCaseJobs: ({ job }) => ({ query: { q: String(job) } }),
  getCaseDetail: ({ case: id }) => ({ params: { id } }),
  findCaseEntities: ({ case: id, job }) => ({ params: { id }, query: { job: String(job) } }),
  getCaseSummary: ({ case: id }) => ({ params: { id } }),
  getCasePivots: ({ case: id }) => ({ params: { id } }),
  getCaseTimeline: ({ case: id }) => ({ params: { id } }),
  getCaseEvents: ({ case: id }) => ({ params: { id } }),
  getClockHints: ({ case: id }) => ({ params: { id } }),
  setCaseClock: ({ case: id, job }) => ({ params: { id, job }, body: { clock_offset: 3600 } }),
  listCaseFindings: ({ case: id }) => ({ params: { id } }),
  getCaseActors: ({ case: id }) => ({ params: { id } }),
  getCaseGraph: ({ case: id, job }) => ({ params: { id }, query: { job: String(job) } }),
  exportCaseGraph: ({ case: id, job }) => ({ params: { id }, query: { job: String(job) } }),
  getCaseGraphActive: ({ case: id }) => ({ params: { id } }),
  getCaseProcessTree: ({ case: id, job }) => ({ params: { id }, query: { job: String(job) } }),
  listCases: () => ({}),
  listComments: ({ job }) => ({ params: { target: 'job', id: job } }),
  addComment: ({ job }) => ({ params: { target: 'job', id: job }, body: { body: 'Seen this before?' } }),
  editComment: ({ comment }) => ({ params: { id: comment }, body: { body: 'Seen this elsewhere?' } }),
  deleteComment: ({ comment }) => ({ params: { id: comment } }),
  watchJob: ({ job }) => ({ params: { id: job } }),
  listWatchedJobs: () => ({}),
  acknowledgeWatchedJob: ({ job }) => ({ params: { id: job } }),
  unwatchJob: ({ job }) => ({ params: { id: job } }),
  countNotifications: () => ({}),
  listNotifications: () => ({}),
  acknowledgeNotification: ({ notification }) => ({ params: { stream: 'job', id: notification } }),
  acknowledgeNotifications: () => ({}),
  restoreNotifications: () => ({ body: { acknowledged_at: '2026-08-01T10:15:00Z' } }),
  getIntel: ({ job }) => ({ query: { job: String(job) } }),
  listEntities: ({ job }) => ({ query: { q: `job:${job}`, job: String(job) } }),
  listEntityIds: ({ job }) => ({ query: { q: `job:${job}`, job: String(job) } }),
  searchNews: () => ({ params: { id: 2_000_000_000 } }),
  suggestEntitySearch: () => ({ query: { q: 'job:' } }),
  getEntity: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  getEntityEnrichment: ({ entity }) => ({ params: { id: entity } }),
  enrichEntity: ({ entity, service }) => ({ params: { id: entity, service_id: service } }),
  getRawEnrichment: ({ entity, service }) => ({ params: { id: entity, service_id: service } }),
  bulkEnrich: ({ entity, service }) => ({ body: { ids: [entity], service_id: service } }),
  enrichCase: ({ case: id, service }) => ({ params: { id }, body: { service_id: service } }),
  listCaseEnrichment: ({ case: id }) => ({ params: { id } }),
  getEnrichmentRun: ({ lookup }) => ({ params: { id: lookup } }),
  cancelEnrichmentRun: ({ lookup }) => ({ params: { id: lookup } }),
  listEntityJobs: ({ entity }) => ({ params: { id: entity } }),
  getEntitySightings: ({ entity }) => ({ params: { id: entity } }),
  getEntityThreats: ({ entity }) => ({ params: { id: entity } }),
  listAssociatedEntities: ({ entity }) => ({ params: { id: entity } }),
  listEntityFindings: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  listEntityRelationships: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  getEntityProcessTree: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  getEntityMitre: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  getIntelMitreLayer: () => ({}),
  getEntityMitreLayer: ({ entity }) => ({ params: { id: entity } }),
  listEntitiesTogether: ({ entity }) => ({ params: { id: entity } }),
  getSeenBefore: ({ job }) => ({ params: { id: job } }),
  listJobFindings: ({ job }) => ({ params: { id: job } }),
  lookUpEntities: ({ job }) => ({ params: { id: job }, body: { entities: [{ entity_type: 'user', value: 'a' }] } }),
  getRelationshipTimespan: ({ relationship }) => ({ params: { id: relationship } }),
  listRelationshipEvidence: ({ relationship }) => ({ params: { id: relationship } }),
  getGraphSchema: () => ({}),
  getEntityGraph: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job), q: `job:${job}` } }),
  exportEntityGraph: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  countGraphNeighbours: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  findGraphPath: ({ entity, job }) => ({
    query: { from: String(entity), to: String(entity), kinds: 'typed,finding', job: String(job) },
  }),
  getIocFeed: () => ({ query: { include_allowlisted: '1' } }),
  exportCaseStix: ({ case: id }) => ({ params: { id } }),
  exportCaseMisp: ({ case: id }) => ({ params: { id } }),
  getCaseIocPack: ({ case: id }) => ({ params: { id } }),
  getFeeds: () => ({}),
  getMispManifest: () => ({}),
  getMispEvent: () => ({ params: { file: `${ruleId}.json` } }),
  listMispHashes: () => ({}),
  getTaxiiDiscovery: () => ({}),
  getTaxiiRoot: () => ({}),
  listTaxiiCollections: () => ({}),
  getTaxiiCollection: () => ({ params: { collection: 'live-iocs' } }),
  listTaxiiObjects: () => ({ params: { collection: 'live-iocs' }, query: { limit: '500' } }),
  getTaxiiManifest: () => ({ params: { collection: 'live-iocs' }, query: { limit: '500' } }),
  getTaxiiObject: () => ({ params: { collection: 'live-iocs', object_id: whoSays } }),
  listTaxiiVersions: () => ({ params: { collection: 'live-iocs', object_id: whoSays } }),
  exportEntityStix: ({ entity }) => ({ params: { id: entity } }),
  getEntityIocPack: ({ entity }) => ({ params: { id: entity } }),
  countEntityLinks: ({ entity, job }) => ({ params: { id: entity }, query: { job: String(job) } }),
  suggestAliases: ({ entity }) => ({ params: { id: entity } }),
  uniteEntities: ({ entity }) => ({ params: { id: entity }, body: { entity_ids: [entity] } }),
  separateEntity: ({ entity }) => ({ params: { id: entity } }),
  toggleAllowlist: ({ entity }) => ({ params: { id: entity }, body: { reason: 'ours' } }),
  writeEntityNote: ({ entity }) => ({ params: { id: entity }, body: { body: 'Seen before' } }),
  tagEntity: ({ entity }) => ({ params: { id: entity }, body: { tag: 'triage' } }),
  untagEntity: ({ entity }) => ({ params: { id: entity }, body: { tag: 'triage' } }),
  tagEntities: ({ entity }) => ({ body: { entity_ids: [entity], tag: 'triage' } }),
  untagEntities: ({ entity }) => ({ body: { entity_ids: [entity], tag: 'triage' } }),
  allowlistEntities: ({ entity }) => ({ body: { entity_ids: [entity], value: true } }),
  listAlertRules: () => ({}),
  getAlertRule: ({ rule }) => ({ params: { id: rule } }),
  createAlertRule: () => ({ body: { name: 'Night watch', query: 'dc01' } }),
  changeAlertRule: ({ rule }) => ({ params: { id: rule }, body: { name: 'Night watch' } }),
  toggleAlertRule: ({ rule }) => ({ params: { id: rule } }),
  deleteAlertRule: ({ rule }) => ({ params: { id: rule } }),
  previewAlertRule: () => ({ query: { query: 'payroll', scope: 'job' } }),
  dryRunAlertRule: () => ({ body: { query: 'payroll', scope: 'job' } }),
  listAlertRuleVersions: ({ rule }) => ({ params: { id: rule } }),
  restoreAlertRule: ({ rule }) => ({ params: { id: rule, version: 1 } }),
  promoteSet: ({ rule }) => ({ params: { id: rule }, body: { name: `set_${rule}` } }),
  beginBacktest: () => ({ body: { query: 'dc01', since: '2026-01-01T00:00:00Z', until: '2026-08-01T00:00:00Z' } }),
  listBacktests: () => ({}),
  getBacktest: () => ({ params: { id: 2_000_000_000 } }),
  cancelBacktest: () => ({ params: { id: 2_000_000_000 } }),
  toggleStar: ({ entity }) => ({ params: { id: entity } }),
  listTags: () => ({}),
  createTags: () => ({ body: { tag: 'triage' } }),
  renameTag: ({ tags: [tag] }) => ({ body: { tag, new_tag: `${tag}-new` } }),
  mergeTags: ({ tags: [tag, into] }) => ({ body: { tag, into } }),
  recolorTag: ({ tags: [tag] }) => ({ body: { tag, color: 'red' } }),
  deleteTag: ({ tags: [tag] }) => ({ body: { tag } }),
  suggestTags: () => ({}),
  tagJob: ({ job }) => ({ params: { id: job }, body: { tag: 'triage' } }),
  untagJob: ({ job }) => ({ params: { id: job }, body: { tag: 'triage' } }),
  tagJobs: ({ job }) => ({ body: { job_ids: [job], tag: 'triage' } }),
  untagJobs: ({ job }) => ({ body: { job_ids: [job], tag: 'triage' } }),
  login: () => ({ body: { username: 'user@example.org', password } }),
  logout: () => ({}),
  getSession: () => ({}),
  getMe: () => ({}),
  confirmPassword: () => ({ body: { password } }),
  listSessions: () => ({}),
  endSession: ({ session }) => ({ params: { id: session } }),
  endOtherSessions: () => ({}),
  updateMe: () => ({ body: { display_name: 'Ada' } }),
  getTriagePlan: ({ workflow }) => ({ params: { workflow_id: workflow } }),
  getCompiledRules: ({ compiled }) => ({ params: { digest: compiled } }),
  listPacksInForce: () => ({}),
  getCoverage: () => ({}),
  getOfferedPack: () => ({}),
  listRuleLists: () => ({}),
  getRuleList: ({ list }) => ({ params: { id: list } }),
  exportAlertRules: () => ({}),
  importAlertRules: () => ({ body: { yaml_text: 'rules: []' } }),
  createRuleList: ({ list }) => ({ body: { name: `made_${list}`, match: 'exact', values: ['a'] } }),
  editRuleList: ({ list }) => ({ params: { id: list }, body: { description: 'x' } }),
  // It has no source.
  refreshRuleList: ({ list }) => ({ params: { id: list } }),
  deleteRuleList: ({ list }) => ({ params: { id: list } }),
  listRulePacks: () => ({}),
  importRulePack: ({ packUpload }) => ({ body: { upload_id: packUpload } }),
  getRulePack: ({ pack }) => ({ params: { name: pack } }),
  listRules: ({ pack }) => ({ params: { name: pack } }),
  getRule: ({ pack }) => ({ params: { name: pack, rule_id: ruleId } }),
  getRulePackReport: ({ pack }) => ({ params: { name: pack } }),
  changeRulePack: ({ pack }) => ({ params: { name: pack }, body: { enabled: false } }),
  deleteRulePack: ({ pack }) => ({ params: { name: pack } }),
  overrideRule: ({ pack }) => ({ params: { name: pack, rule_id: ruleId }, body: { level: 'low' } }),
  saveRule: () => ({ body: { source: ownRule } }),
  deleteRule: () => ({ params: { rule_id: 'none' } }),
  testRule: () => ({ body: { source: 'title: T\n', against: 'events' } }),
  listSuppressions: () => ({}),
  previewSuppression: () => ({ body: { rule_id: ruleId } }),
  addSuppression: () => ({ body: { rule_id: ruleId, rule_name: 'A rule', reason: 'Our own backup' } }),
  removeSuppression: () => ({ params: { id: 1_000_000 } }),
  exportRuleDecisions: () => ({}),
  importRuleDecisions: () => ({ body: { document: 'overrides: []' } }),
  listUsers: () => ({}),
  createUser: ({ email }) => ({ body: { email, password, role: 'user' } }),
  setUserRole: ({ account }) => ({ params: { id: account }, body: { role: 'member' } }),
  setUserActive: ({ account }) => ({ params: { id: account }, body: { is_active: false } }),
  setUserPassword: ({ account }) => ({ params: { id: account }, body: { password: 'a new pass phrase' } }),
  deleteUser: ({ account }) => ({ params: { id: account } }),
  listApiTokens: () => ({}),
  createApiToken: () => ({ body: { name: 'made', scopes: ['job:read'] } }),
  revokeApiToken: ({ apiToken }) => ({ params: { id: apiToken } }),
  listTasks: () => ({}),
  runTaskAgain: ({ task }) => ({ params: { id: task } }),
  recoverTask: ({ task }) => ({ params: { id: task } }),
  revokeQueuedTask: ({ queued }) => ({ params: { queue_id: queued } }),
  listWorkers: () => ({}),
  listEngines: () => ({}),
  changeEngine: () => ({ params: { name: 'evtx-hunt' }, body: { enabled: true } }),
  runEngineTask: () => ({ params: { name: 'evtx-hunt' }, body: { what: 'test' } }),
  limitWorker: () => ({ params: { hostname: 'nowhere' }, body: { max_concurrent_jobs: 1 } }),
  cancelBackgroundTask: ({ task }) => ({ params: { id: task } }),
  backfillEntities: () => ({}),
  backfillSimilarity: () => ({}),
  backfillAnalytics: () => ({}),
  cleanUpOutputs: () => ({}),
  getStorage: () => ({}),
  getDatabaseSizes: () => ({}),
  setOutputRetention: () => ({ body: { job_output_retention_days: 30 } }),
  runRetention: () => ({}),
  purgeOrphans: () => ({}),
  vacuumDatabase: () => ({}),
  listAlerts: () => ({}),
  explainAlert: ({ alert }) => ({ params: { id: alert } }),
  explainJobAlert: ({ jobAlert }) => ({ params: { id: jobAlert } }),
  acknowledgeAlert: ({ alert }) => ({ params: { id: alert } }),
  acknowledgeJobAlert: ({ jobAlert }) => ({ params: { id: jobAlert } }),
  acknowledgeAlerts: () => ({}),
  backfillBuiltinLabels: () => ({}),
  backfillEntityAttributes: () => ({}),
  backfillRelationships: () => ({}),
  backfillFindingEntityLinks: () => ({}),
  getSiteSettings: () => ({}),
  listEnrichmentServices: () => ({}),
  createEnrichmentService: ({ email }) => ({
    body: { name: email, provider_key: 'own', entity_types: ['domain'], api_token: 'hush' },
  }),
  changeEnrichmentService: ({ service }) => ({ params: { id: service }, body: { notes: 'ours', api_template: '' } }),
  toggleEnrichmentService: ({ service }) => ({ params: { id: service } }),
  clearEnrichmentToken: ({ service }) => ({ params: { id: service } }),
  deleteEnrichmentService: ({ service }) => ({ params: { id: service } }),
  listAdminWorkflows: () => ({}),
  getWorkflow: ({ workflow }) => ({ params: { id: workflow } }),
  createWorkflow: ({ email }) => ({ body: { name: email, log_types: [], tasks: 'tasks: [{ tool: sigma-native }]' } }),
  changeWorkflow: ({ spareWorkflow }) => ({ params: { id: spareWorkflow }, body: { enabled: false } }),
  deleteWorkflow: ({ spareWorkflow }) => ({ params: { id: spareWorkflow } }),
  duplicateWorkflow: ({ spareWorkflow }) => ({ params: { id: spareWorkflow } }),
  resetWorkflow: ({ workflow }) => ({ params: { id: workflow } }),
  validateWorkflow: () => ({ body: { tasks: 'tasks: []' } }),
  exportWorkflows: () => ({}),
  importWorkflows: () => ({
    body: { yaml_text: 'name: Taken\nlog_types: []\ntasks: [{ tool: sigma-native }]\n', dry_run: true },
  }),
  changeSiteSettings: () => ({ body: { max_upload_files: 50 } }),
  getHealth: () => ({}),
  getMetrics: () => ({}),
  getOpenApi: () => ({}),
};
