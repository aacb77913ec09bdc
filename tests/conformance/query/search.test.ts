import { afterAll, beforeAll, describe } from 'vitest'
import { IS_DAILY, IS_QUICK, perTier } from '#tests/support/test-tier.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { type DatabaseOptions, type Executor, inDatabase } from './executors.ts'
import { describeSearches } from './search-expectations.ts'
import { stock } from './data/generated-values.ts'

type Way = readonly [name: string, dialect: Dialect, options: DatabaseOptions]

/** States of the index, combined with limits for rare searches: none, a few hits, and the default. */
const WAYS: readonly Way[] = [
  ['on SQLite without an index', 'sqlite', { indexed: 'nothing' }],
  ['on SQLite, as it is in use', 'sqlite', {}],
  ['on SQLite, walking along an index of all texts', 'sqlite', { isImporting: false, rareHits: 0 }],
  ['on SQLite, with an index that lacks a stretch of records', 'sqlite', { indexed: 'but a stretch', rareHits: 50 }],
  ['on SQLite, walking along many indexes', 'sqlite', { indexed: 'field by field', isImporting: false, rareHits: 1 }],
  [
    'on SQLite, walking along an index with outdated entries',
    'sqlite',
    { indexed: 'outdated in part', isImporting: false, rareHits: 0 },
  ],
]

/** The rest; slow on PostgreSQL, where HTTP tests search in every tier. */
const WAYS_OF_FULL_TIER: readonly Way[] = [
  ['on SQLite, where other indexes count its hits', 'sqlite', { isImporting: false, rareHits: 0, isIndexed: true }],
  ['on SQLite, with an index of all texts while an import runs', 'sqlite', { rareHits: 3 }],
  [
    'on SQLite, walking along an index with a gap',
    'sqlite',
    { indexed: 'but a stretch', isImporting: false, rareHits: 0 },
  ],
  [
    'on SQLite, with an index for each field',
    'sqlite',
    { indexed: 'field by field', isImporting: false, rareHits: 50 },
  ],
  ['on SQLite, with outdated index entries', 'sqlite', { indexed: 'outdated in part', rareHits: 50 }],
  ['on PostgreSQL without an index', 'postgres', { indexed: 'nothing' }],
  ['on PostgreSQL with indexes of trigrams', 'postgres', { isImporting: false }],
]

describe.each(IS_QUICK || IS_DAILY ? WAYS : [...WAYS, ...WAYS_OF_FULL_TIER])(
  'a search for %s',
  (_, dialect, options) => {
    let executor: Executor
    beforeAll(async () => {
      executor = await inDatabase(dialect, stock, options)
    })
    afterAll(() => executor.close())

    describeSearches(() => executor, perTier(4))
  },
)
