/** Every key of the cache, from the widest to the narrowest, so that a wide one can be refreshed with all within it. */
export const queryKeys = {
  setup: ['setup'],
  providers: ['providers'],
  factors: ['account', 'factors'],
  linkedProviders: ['account', 'providers'],
  sessions: ['account', 'sessions'],
  tokens: ['account', 'tokens'],
  sessionPolicy: ['workspace', 'session-policy'],
  users: ['users'],
  outbox: ['outbox'],
  audit: ['audit'],
  sample: ['sample'],
  tours: ['tours'],
  collections: ['collections'],
  collection: (collection: string) => ['collections', collection],
  /** Everything about the records of one collection: lists, groups, counts and single records. */
  records: (collection: string) => ['records', collection],
  recordList: (collection: string, query: object) => ['records', collection, 'list', query],
  recordCount: (collection: string) => ['records', collection, 'count'],
  groups: (collection: string, query: object) => ['records', collection, 'groups', query],
  record: (collection: string, record: string) => ['records', collection, 'one', record],
  import: (id: string) => ['imports', id],
} as const
