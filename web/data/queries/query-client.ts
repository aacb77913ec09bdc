import { QueryClient } from '@tanstack/react-query'
import { toCallError } from '#web/data/api/call-error.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'

/** Every cache key, from broad to narrow, so that invalidating a broad key includes all keys below it. */
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
  indexes: (collection: string) => ['collections', collection, 'indexes'],
  views: (collection: string) => ['views', collection],
  records: (collection: string) => ['records', collection],
  recordList: (collection: string, query: object) => ['records', collection, 'list', query],
  recordCount: (collection: string) => ['records', collection, 'count'],
  groups: (collection: string, query: object) => ['records', collection, 'groups', query],
  /** Summaries of a list, which change with every value. */
  sums: (collection: string, query: object) => ['records', collection, 'sums', query],
  record: (collection: string, record: string) => ['records', collection, 'one', record],
  jobs: ['jobs'],
  import: (id: string) => ['imports', id],
} as const

/** Number of retries of a read while the server is briefly unreachable. */
const MAX_RETRIES = 2

/** Results and errors are considered fresh for this time in ms. */
const STALE_TIME_MS = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      // A component shown because of an error doesn't refetch on mount; otherwise it would disappear and reappear.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > STALE_TIME_MS,
      retry: (failures, error) => failures < MAX_RETRIES && toCallError(error)?.isPassing === true,
      retryDelay: (failures, error) =>
        Math.max(delayAfterTries(failures), (toCallError(error)?.retryAfterSeconds ?? 0) * 1000),
      // The server may run on this machine, so the browser's offline state is ignored.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
