import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type RollupKind, ROLLUP_FUNCTIONS } from '#domain/fields/field.ts'
import { evaluateRollup } from '#domain/rollups/evaluate-rollup.ts'
import { resultOfPlan } from '#domain/rollups/rollup-fields.ts'
import { type RollupPlan, rollupPlan } from '#domain/rollups/rollup-plan.ts'
import { linkedValuesOf, resultField, rollupsIn } from '#domain/formulas/value-field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'
import { compileRollup } from '#server/query/compile/compile-rollup.ts'
import { column, columnOf, rowAt, rowsOf } from '#server/query/sql/sql-context.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { perTier } from '#tests/support/test-tier.ts'
import { libraryRollups, lookupIn, stock } from './data/generated-values.ts'
import { books, id, library } from './data/library-schema.ts'
import { fillLibrary, PENDING_IMPORT } from './executors.ts'

const collectionOf = (wanted: CollectionId): Collection | undefined => library.find((one) => one.id === wanted)

const linkFields = ({ fields }: Collection): readonly Field[] =>
  fields.filter(({ kind }) => kind === 'relation' || kind === 'reverse')

const FILTERS: readonly (Filter | undefined)[] = [
  undefined,
  { field: 'createdAt', op: '<', value: '2026-03-29' },
  { any: [{ field: 'id', op: '^=', value: '00' }] },
]

/** A collection with a path through relations and reverse sides, and where the path leads. */
const routes: fc.Arbitrary<readonly [home: Collection, path: readonly string[], target: Collection]> = fc
  .tuple(fc.constantFrom(...library), fc.array(fc.nat(), { minLength: 1, maxLength: 3 }))
  .map(([home, choices]) => {
    let target = home
    const path = choices.flatMap((choice) => {
      const links = linkFields(target)
      const link = links[choice % links.length]
      if (link?.kind !== 'relation' && link?.kind !== 'reverse') return []
      target = collectionOf(link.options.collection) ?? target
      return [link.id]
    })
    return [home, path, target]
  })

/** Valid definitions of rollups. */
const plans: fc.Arbitrary<RollupPlan> = routes
  .chain(([home, path, target]) =>
    fc.record({
      home: fc.constant(home),
      path: fc.constant(path),
      field: fc.option(fc.constantFrom(...target.fields.map((field) => field.id)), { nil: undefined, freq: 8 }),
      function: fc.constantFrom(...ROLLUP_FUNCTIONS),
      filter: fc.constantFrom(...FILTERS),
    }),
  )
  .map(({ home, field: summarized, filter, ...rest }) => {
    const options = {
      ...rest,
      ...(summarized !== undefined && { field: summarized }),
      ...(summarized === undefined && { function: 'count' as const }),
      ...(filter && { filter }),
      result: 'number' as const,
    }
    const shared = { id: id('z', 1), name: 'z', label: 'z', required: false, unique: false, default: null }
    const plan = rollupPlan({ ...shared, kind: 'rollup', options }, { collection: home, collectionOf, timeZone: 'UTC' })
    const result = plan.ok ? resultOfPlan(plan.value) : undefined
    return plan.ok && result ? { ...plan.value, field: withResult(plan.value.field, result) } : undefined
  })
  .filter((plan) => plan !== undefined)

const withResult = (field: Field<RollupKind>, result: Field<RollupKind>['options']['result']): Field<RollupKind> => ({
  ...field,
  options: { ...field.options, result },
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect: Dialect) => {
  let opened: OpenTestDatabase

  beforeAll(async () => {
    opened = await openTestDatabase({ dialect })
    await opened.database.write((transaction) => fillLibrary(transaction, stock, [PENDING_IMPORT]))
  })
  afterAll(() => opened.close())

  const cells = async (home: CollectionId, value: ReturnType<typeof sql>): Promise<ReadonlyMap<string, CellValue>> => {
    const { rows } = await sql<{
      id: string
      value: CellValue
    }>`select ${column(rowAt(0), 'id')} as id, ${value} as value
      from ${rowsOf(home, 0)} where ${column(rowAt(0), 'import_id')} is null`.execute(opened.database.read)
    return new Map(rows.map((row) => [row.id, row.value]))
  }

  const inMemory = (plan: RollupPlan) =>
    (stock.get(plan.home) ?? []).map((record) => [record.id, evaluateRollup(plan, record, lookupIn(stock), 'UTC')])

  const inDatabase = (plan: RollupPlan, found: ReadonlyMap<string, CellValue>) =>
    (stock.get(plan.home) ?? []).map((record) => [
      record.id,
      valueOfCell(resultField(plan.field), found.get(record.id)),
    ])

  test('every function over every path gives the same values as in memory', async () => {
    const property = fc.asyncProperty(plans, async (plan) => {
      const value = compileRollup(plan, { dialect, pendingImports: [PENDING_IMPORT], level: 0 }, 'UTC')
      expect(inDatabase(plan, await cells(plan.home, value))).toEqual(inMemory(plan))
    })
    await fc.assert(property, { numRuns: perTier(400) })
  })

  test('stored values are those in memory', async () => {
    expect(libraryRollups.plans).toHaveLength(library.flatMap(({ fields }) => rollupsIn(fields)).length)
    for (const plan of libraryRollups.plans) {
      const stored = await cells(plan.home, column(rowAt(0), columnOf(plan.field.id)))
      expect(inDatabase(plan, stored)).toEqual(inMemory(plan))
    }
    expect(books.fields.some((field) => linkedValuesOf(field).length > 0)).toBe(true)
  })
})
