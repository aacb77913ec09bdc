import { Kysely, PostgresDialect, type RawBuilder, SqliteDialect } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { RecordsQueryInput } from '#domain/query/list/records-query.ts'
import type { Dialect, Tables } from '#server/platform/database/database.ts'
import { ask, askGroups, askGroupsAs, askSums } from '#tests/conformance/query/agreement.ts'
import type { Sight } from '#tests/conformance/query/data/generated-queries.ts'
import { compileGroups } from './compile-group.ts'
import { compilePage } from './compile-page.ts'
import { compileCount } from './compile-conditions.ts'
import { SQLITE_FORMULA_FUNCTION } from '#server/platform/database/sqlite/formula-function.ts'
import type { SqlOptions } from '#server/query/sql/sql-context.ts'

const neverOpened = () => Promise.reject(new Error('Statements are only written here.'))

const WRITERS: { readonly [Name in Dialect]: Kysely<Tables> } = {
  sqlite: new Kysely({ dialect: new SqliteDialect({ database: neverOpened }) }),
  postgres: new Kysely({ dialect: new PostgresDialect({ pool: neverOpened }) }),
}

const SIGHT: Sight = { books: undefined, authors: { field: 'active', op: '=', value: true } }

const PARTLY: Sight = {
  books: undefined,
  authors: undefined,
  partly: {
    books: {
      price: { field: 'sold', op: '=', value: true },
      author: { field: 'genre', op: 'is not empty' },
      title: { field: 'keeper', op: '=', value: { marker: '@me' } },
    },
    authors: { name: { field: 'active', op: '=', value: true } },
  },
}

type Statement = (setting: SqlOptions) => RawBuilder<unknown>

const page = (input: Partial<RecordsQueryInput>, sight?: Sight): Statement => {
  const query = ask({ perPage: 50, ...input }, sight)
  return (setting) => compilePage(query, setting, query.collection.fields)
}

/** The second page, requested with a cursor that contains two key values and the record ID. */
function pageAfterCursor(): Statement {
  const first = ask({ sort: '-price,title', perPage: 50 })
  return page({ sort: '-price,title', cursor: `${first.fingerprint}.50.n2_002e5.tapfel.tApfel.tb` })
}

/** Statements to review when the compiler changes, one per feature. */
const STATEMENTS: { readonly [name: string]: Statement } = {
  'first-page': page({}),
  'page-three-of-unfinished-import': page({ sort: '-dueOn', page: 3 }),
  'page-after-cursor': pageAfterCursor(),
  'filter-on-own-fields': page({
    filter: 'title ~ "50%" && (price between 1 and 2 || sold = true) && genre in ("essay", "crime") && dueOn != @today',
  }),
  'filter-order-of-texts': page({ filter: 'title >= "M" && blurb $= "end"' }),
  'filter-through-relations': page({ filter: 'writers.country.name ^= "jap" && author.name is empty' }, SIGHT),
  'filter-between-fields': page({
    filter:
      'margin <= price && title < blurb && tags != tags && genre = author.style && stage <= stage && readAt != author.createdAt',
  }),
  'filter-between-relations': page({ filter: 'author = writers && writers.style = genre' }, SIGHT),
  'filter-between-partly-hidden-fields': page({ filter: 'price > margin && author.name != title' }, PARTLY),
  'filter-on-lists': page({ filter: 'scans ~ "pdf" && writers is not empty' }),
  'search-two-words': page({ search: 'crime "big apple"' }, SIGHT),
  'sort-by-choices-and-titles': page({ sort: 'genre,-author,writers' }, SIGHT),
  'count-capped': (setting) => compileCount(ask({ filter: 'sold = false', perPage: 50 }), 'capped', setting),
  'sums-of-a-list': (setting) =>
    compileGroups(
      ask({ filter: 'sold = true', perPage: 1 }),
      askSums('count,sum(price),avg(price),min(margin)'),
      setting,
    ),
  'partly-hidden-fields': page({ filter: 'price != 2 && author.name ~ "a"', sort: '-price', search: 'apple' }, PARTLY),
  'groups-of-partly-hidden-fields': (setting) =>
    compileGroups(ask({ perPage: 50 }, PARTLY), askGroupsAs(PARTLY, 'author', 'max(price)'), setting),
  'filter-and-sort-by-formulas': page({ filter: 'doubled > 2 && shout ~ "a" && isLate = true', sort: '-nextOn,shout' }),
  'groups-of-formulas': (setting) =>
    compileGroups(ask({ perPage: 50 }), askGroups('shout', 'sum(doubled)', 1, 100), setting),
  'groups-with-figures': (setting) =>
    compileGroups(ask({ perPage: 50 }), askGroups('genre,-sold', 'sum(price),avg(price),max(margin)', 1, 100), setting),
}

describe.each(['sqlite', 'postgres'] as const)('compiled for %s', (dialect) => {
  test.each(Object.entries(STATEMENTS))('%s equals the reviewed statement', async (name, statement) => {
    const pendingImports = name.includes('unfinished') ? ['import-1'] : []
    const { sql, parameters } = statement({ dialect, pendingImports }).compile(WRITERS[dialect])
    const plain = sql.replaceAll(SQLITE_FORMULA_FUNCTION, 'dossier_formula')
    const text = `${plain.replaceAll(/ +$/gm, '')}\n-- ${JSON.stringify(parameters)}\n`
    await expect(text).toMatchFileSnapshot(`golden/${name}.${dialect}.sql`)
  })
})
