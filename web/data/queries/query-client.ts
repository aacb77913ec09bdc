import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import { toCallError } from '#web/data/api/call-error.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'

/** Options of a list that is read page by page, newest first; the previous list stays visible while another one loads. */
export const NEWEST_FIRST = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: { readonly next: string | null }) => next,
  placeholderData: keepPreviousData,
}

/**
 * All cache keys, from general to specific, so that invalidating a general key includes all keys that start with it.
 */
export const queryKeys = {
  setup: ['setup'],
  providers: ['providers'],
  factors: ['account', 'factors'],
  linkedProviders: ['account', 'providers'],
  sessions: ['account', 'sessions'],
  tokens: ['account', 'tokens'],
  sessionPolicy: ['workspace', 'session-policy'],
  storage: ['workspace', 'storage'],
  timeZone: ['workspace', 'time-zone'],
  secondFactorPolicy: ['workspace', 'second-factor'],
  users: ['users'],
  people: ['people'],
  roles: ['roles'],
  policies: ['roles', 'policies'],
  profileFields: ['workspace', 'profile-fields'],
  explanations: ['explanations'],
  holders: ['users', 'holders'],
  outbox: ['outbox'],
  audit: ['audit'],
  sample: ['sample'],
  templates: ['templates'],
  tours: ['tours'],
  openApi: ['open-api'],
  search: (words: string) => ['search', words],
  searchIndex: (collection: string) => ['records', collection, 'search-index'],
  favourites: ['favourites'],
  home: ['home'],
  counts: ['home', 'counts'],
  waiting: ['home', 'waiting'],
  collections: ['collections'],
  collection: (collection: string) => ['collections', collection],
  recalculation: (collection: string, field: string) => ['collections', collection, 'recalculation', field],
  indexes: (collection: string) => ['collections', collection, 'indexes'],
  dashboards: ['dashboards'],
  dashboard: (id: string) => ['dashboards', 'one', id],
  viewNames: ['view-names'],
  views: (collection: string) => ['views', collection],
  records: (collection: string) => ['records', collection],
  recordList: (collection: string, query: object) => ['records', collection, 'list', query],
  /** Records and groups that a view loads by itself; refetched after every change. */
  recordWindows: (collection: string, ...query: readonly object[]) => ['records', collection, 'windows', ...query],
  recordCount: (collection: string) => ['records', collection, 'count'],
  groups: (collection: string, query: object) => ['records', collection, 'groups', query],
  /** Column summaries of a list, which depend on all values. */
  sums: (collection: string, query: object) => ['records', collection, 'sums', query],
  record: (collection: string, record: string) => ['records', collection, 'one', record],
  activity: ['activity'],
  trash: ['trash'],
  deletedDefinitions: ['trash', 'definitions'],
  trashSettings: ['trash-settings'],
  jobs: ['jobs'],
  import: (id: string) => ['imports', id],
} as const

/** Maximum number of retries of a read while the server is unreachable. */
const MAX_RETRIES = 2

/** Time in ms for which results and errors are considered fresh. */
const STALE_TIME_MS = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      // A component that is mounted because of an error must not refetch, or it would disappear and reappear.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > STALE_TIME_MS,
      retry: (failures, error) => failures < MAX_RETRIES && toCallError(error)?.isPassing === true,
      retryDelay: (failures, error) =>
        Math.max(delayAfterTries(failures), (toCallError(error)?.retryAfterSeconds ?? 0) * 1000),
      // Ignores the browser's offline state, because the server may run on this machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Reloads these queries. Resolves when their results are rendered, which happens in a task after their responses. */
export async function reloadQueries(client: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  await client.invalidateQueries({ queryKey })
  await new Promise((resolve) => setTimeout(resolve))
}
