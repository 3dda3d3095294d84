import type { MatchedEvent } from '@svc/contracts';
import { oneLine } from './evidence-text.ts';

/** Characters of a sample event, and of one of its values. */
const [longestEvent, longestValue] = [600, 240];

/** Fields that tell what was done, by whom, where and to what; those that tell most come first. No others leave. */
const told = [
  'CommandLine,ProcessCommandLine,Cmdline,proctitle,ScriptBlockText,Payload,Image,NewProcessName,ProcessName',
  'exe,comm,ParentImage,ParentProcessName,ParentCommandLine,SourceImage,TargetImage,ImageLoaded',
  'GrantedAccess,OriginalFileName,IntegrityLevel,Signature,User,SubjectUserName,SubjectDomainName',
  'TargetUserName,TargetDomainName,acct,auid,UserId,MemberName,MemberSid,TargetServerName,LogonType',
  'LogonProcessName,AuthenticationPackageName,TicketEncryptionType,TicketOptions,Status,SubStatus',
  'FailureReason,PrivilegeList,IpAddress,SourceIp,SourceHostname,DestinationIp,DestinationHostname',
  'DestinationPort,Protocol,WorkstationName,Workstation,ClientAddress,addr,src_ip,dest_ip,QueryName',
  'QueryResults,ServiceName,ServiceFileName,ImagePath,AccountName,StartType,TaskName,TaskContent',
  'TargetFilename,TargetObject,Details,ObjectName,ObjectValueName,NewValue,PipeName,ShareName',
  'RelativeTargetName,AttributeLDAPDisplayName,AttributeValue,ObjectDN,Properties,Hashes,md5,sha256,Path',
  'Threat Name,Action,Product,Query,Consumer,Destination,eventName,eventSource,sourceIPAddress,userAgent',
  'userIdentity.arn,userIdentity.userName,errorCode,awsRegion,operationName,Operation,ClientIP,Workload',
  'ResultStatus,ObjectId,cs-method,cs-uri-stem,cs-uri-query,c-ip,sc-status,cs(User-Agent),message,Message',
].flatMap((names) => names.split(','));

/** A matched event in one line: when, where, which, then its fields by {@link told}. */
export function eventLine({ timestamp, computer, channel, event_id: eventId, fields }: MatchedEvent): string {
  const head = [timestamp, computer, channel, eventId !== null && `event ${eventId}`]
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => oneLine(String(part), 80))
    .join(' · ');
  let line = head;
  for (const name of told) {
    const text = textOf(fields[name]);
    if (text === '' || text === '-') continue;
    const next = `${line} | ${name}=${oneLine(text, longestValue)}`;
    if (next.length > longestEvent) continue;
    line = next;
  }
  return line.length > longestEvent ? `${line.slice(0, longestEvent - 1)}…` : line;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
