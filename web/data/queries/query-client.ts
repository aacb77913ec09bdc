import { QueryClient } from '@tanstack/react-query'
import { toCallError } from '#web/data/api/call-error.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'

/** Every key of the cache, from the widest to the narrowest, so that a wide one can be refreshed with all within it. */
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
  /** What the home page asks: counts and what waits. */
  home: ['home'],
  counts: ['home', 'counts'],
  waiting: ['home', 'waiting'],
  collections: ['collections'],
  collection: (collection: string) => ['collections', collection],
  indexes: (collection: string) => ['collections', collection, 'indexes'],
  views: (collection: string) => ['views', collection],
  /** Everything about the records of one collection: lists, groups, counts and single records. */
  records: (collection: string) => ['records', collection],
  recordList: (collection: string, query: object) => ['records', collection, 'list', query],
  recordCount: (collection: string) => ['records', collection, 'count'],
  groups: (collection: string, query: object) => ['records', collection, 'groups', query],
  /** Figures of a list, which change with every value. */
  sums: (collection: string, query: object) => ['records', collection, 'sums', query],
  record: (collection: string, record: string) => ['records', collection, 'one', record],
  jobs: ['jobs'],
  import: (id: string) => ['imports', id],
} as const

/** How often a read is repeated by itself when the server is away for a moment. */
const MAX_RETRIES = 2

/** What was read, or could not be, stays so for this long; coming back to a page within it asks nothing. */
const STALE_TIME_MS = 15_000

/** The cache of everything read from the server. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      // What comes into the page because something failed does not ask for it again at once: it would go away meanwhile, and come again.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > STALE_TIME_MS,
      retry: (failures, error) => failures < MAX_RETRIES && toCallError(error)?.isPassing === true,
      retryDelay: (failures, error) =>
        Math.max(delayAfterTries(failures), (toCallError(error)?.retryAfterSeconds ?? 0) * 1000),
      // The server may run on this machine: being offline says nothing about it.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
