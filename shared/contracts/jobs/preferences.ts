export const pageSizes = [20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

export const densities = ['compact', 'roomy'] as const;
export type Density = (typeof densities)[number];

/** How a browser last had the jobs list, as far as it chose. */
export interface JobsPreferences {
  readonly view?: Density;
  /** Rows a page. */
  readonly per?: PageSize;
}

const cookieNames = { view: 'svc_jobs_view', per: 'svc_jobs_per_page' } as const;
const YEAR_SECONDS = 365 * 24 * 3600;

/** What of a query, an address or cookies is a preference; values that are not offered are none. */
export function asPreferences(asked: { readonly view?: unknown; readonly per?: unknown }): JobsPreferences {
  const view = densities.find((density) => density === asked.view);
  const per = pageSizes.find((size) => size === Number(asked.per));
  return { ...(view && { view }), ...(per && { per }) };
}

/** The preferences in the cookies of a browser, each as `name=value`. */
export function keptPreferences(cookies: readonly string[]): JobsPreferences {
  const valueOf = (name: string) =>
    cookies
      .map((each) => each.trim())
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  return asPreferences({ view: valueOf(cookieNames.view), per: valueOf(cookieNames.per) });
}

/** The cookies that keep preferences for a year, as `Set-Cookie` and `document.cookie` take them (resolved-platform 14.2). */
export function preferenceCookies({ view, per }: JobsPreferences, { secure }: { secure: boolean }): string[] {
  const cookie = (name: string, value: string | number) =>
    `${name}=${value}; SameSite=Lax; Path=/; Max-Age=${YEAR_SECONDS}${secure ? '; Secure' : ''}`;
  return [
    ...(view === undefined ? [] : [cookie(cookieNames.view, view)]),
    ...(per === undefined ? [] : [cookie(cookieNames.per, per)]),
  ];
}
