import { openSite, type Site } from './static-files.ts';

const pages: Readonly<Record<string, string>> = { '/api/docs': '/index.html', '/api/redoc': '/redoc.html' };
const files = '/api/docs';

/**
 * Pages that show the OpenAPI document by Swagger UI and Redoc, for those who develop against it
 * (service 9.2). `npm start` builds them where DEBUG is on.
 */
export async function openApiDocs(folder: string, headers: Readonly<Record<string, string>>): Promise<Site> {
  const site = await openSite(folder, headers);
  return {
    send: async (path, request, response) => {
      const name = pages[path] ?? (path.startsWith(`${files}/`) ? path.slice(files.length) : null);
      return name !== null && site.send(name, request, response);
    },
  };
}
