import type { Deployment } from '@svc/application/ports/deployment.ts';
import { matchOperation, operations, type Operation } from '@svc/contracts';
import { AppError, notFound } from '@svc/domain';
import type { HttpMiddleware } from '../call-context.ts';

const taxiiOperations = Object.values<Operation>(operations).filter((operation) => operation.taxii);

/** Whether what is asked for is of the TAXII server, or would be. */
export function isTaxiiAddress(path: string): boolean {
  return path === '/taxii2' || path.startsWith('/taxii2/');
}

/**
 * What holds of all addresses of the TAXII server (resolved-intel 19): nothing is there where it is not switched on;
 * they end with a slash, and lead there without it; they answer in one media type.
 */
export function taxii({ deployment }: { readonly deployment: Pick<Deployment, 'taxii'> }): HttpMiddleware {
  return {
    before: ({ event, context }) => {
      const { rawPath: path, rawQueryString: query, headers } = event;
      if (!isTaxiiAddress(path)) return;
      if (!deployment.taxii) throw notFound('address');
      const { found } = matchOperation(taxiiOperations, 'GET', `${path}/`);
      if (found !== null) {
        context.answerHeaders['location'] = `${path}/${query === '' ? '' : `?${query}`}`;
        throw new AppError('moved', 'The address ends with a slash');
      }
      if (!accepts(headers['accept'])) throw new AppError('not_acceptable', 'This answers in TAXII 2.1 alone');
    },
  };
}

/** Also what names no version; one that names another is another. */
function accepts(accepted = '*/*'): boolean {
  return accepted.split(',').some((each) => {
    const [type = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    if (parameters.some((one) => /^q=0(\.0*)?$/.test(one))) return false;
    const version = parameters.find((one) => one.startsWith('version='));
    if (type === 'application/taxii+json') return version === undefined || /^version="?2\.1"?$/.test(version);
    return type === '' || type === '*/*' || type === 'application/*';
  });
}
