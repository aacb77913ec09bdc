import type { Actor } from '#domain/access/actor.ts'
import { fieldById } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import { createRowReader, type RowPlan } from '#domain/imports/row-to-values.ts'
import type { RecordValues } from '#domain/records/record.ts'
import { compileRules, violatedLocally } from '#domain/rules/rule-violations.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { ruleContextOf } from '#server/records/rules/evaluate-rules.ts'
import { columnsOfField, valueOfCell } from '#server/records/values/row-mapping.ts'
import type { RowBatch } from '#server/transfer/imports/csv/csv-tasks.ts'
import { fieldsInRow } from '#server/transfer/imports/csv/rows-to-cells.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { type CandidateRow, candidatesOf, createRowLinker } from '#server/transfer/imports/run/link-rows.ts'
import { valuesInUse } from '#server/transfer/imports/run/rows-store.ts'
import { ruleErrors } from './check-rules.ts'
import { duplicateError, UNIQUE_DEFAULT_CONFLICT } from './check-rows.ts'

/** A planned import whose collection or fields may not be stored. */
export type ImportDraft = {
  readonly plan: RowPlan
  readonly definitions: Definitions
  readonly storedFields: ReadonlySet<string>
}

type RowCheck = (rows: readonly CandidateRow[]) => Promise<readonly RowError[]> | readonly RowError[]

/** Finds the errors of each batch without storing its rows. Rows with a key are new or not, which is known later. */
export function createRowChecker(deps: ImportDeps, actor: Actor, draft: ImportDraft) {
  const { plan } = draft
  const link = createRowLinker(deps, actor, createRowReader(plan).references)
  const checks = plan.key ? [] : [...uniqueChecks(deps, draft), ...ruleChecks(deps, actor, draft)]
  const columnAt = new Map(plan.columns.map(({ at, field }) => [fieldById(plan.collection, field)?.label ?? '', at]))
  return async (batch: RowBatch): Promise<readonly RowError[]> => {
    const linked = await link(batch)
    const rejected = new Set(batch.refused.map(({ row }) => row))
    const rows = checks.length > 0 ? candidatesOf(batch, linked).filter(({ number }) => !rejected.has(number)) : []
    const errors: RowError[] = [...batch.refused, ...linked.refused]
    for (const check of checks) errors.push(...(await check(rows)))
    return errors.map((error) => ({ ...error, at: error.at ?? columnAt.get(error.column) ?? null }))
  }
}

/** Values that exist already, or in an earlier row. */
function uniqueChecks({ database }: ImportDeps, { plan, storedFields }: ImportDraft): readonly RowCheck[] {
  const fields = fieldsInRow(createRowReader(plan))
  const columns = fields.flatMap(columnsOfField)
  return fields
    .filter(({ unique }) => unique)
    .map((field): RowCheck => {
      const column = columnOf(field.id)
      const place = columns.indexOf(column)
      const seen = new Set<CellValue>()
      const isInFile = plan.columns.some((each) => each.field === field.id)
      return async (rows) => {
        const given = rows.map(({ row, number }) => ({ number, value: row[place] ?? null }))
        const values = [...new Set(given.map(({ value }) => value))].filter((value) => value !== null)
        const { read: db, dialect } = database
        const isStored = storedFields.has(field.id)
        const used = isStored ? await valuesInUse({ db, dialect }, plan.collection.id, column, values) : new Set()
        return given.flatMap(({ number, value }) => {
          if (value === null) return []
          const isTaken = used.has(value) || seen.has(value)
          seen.add(value)
          if (!isTaken) return []
          return [isInFile ? duplicateError(number, field, value) : { row: number, ...UNIQUE_DEFAULT_CONFLICT }]
        })
      }
    })
}

/** Rules that a record's own values decide. */
function ruleChecks(
  deps: ImportDeps,
  actor: Actor,
  { plan: { collection, ...plan }, definitions }: ImportDraft,
): readonly RowCheck[] {
  const at = deps.clock().toISOString()
  const rules = compileRules(ruleContextOf({ definitions, at }, collection))
  if (rules.length === 0) return []
  const valuesOf = createValueReader({ collection, ...plan })
  const record = {
    id: '',
    collection: collection.id,
    version: 1,
    createdAt: at,
    createdBy: null,
    updatedAt: at,
    updatedBy: null,
  }
  const check: RowCheck = (rows) =>
    rows.flatMap((row) => {
      const broken = violatedLocally(rules, { ...record, values: valuesOf(row) })
      return ruleErrors({ actor, definitions }, collection, { row: row.number, rules: broken })
    })
  return [check]
}

function createValueReader(plan: RowPlan): (row: CandidateRow) => RecordValues {
  const reader = createRowReader(plan)
  const fields = fieldsInRow(reader)
  const columns = fields.flatMap(columnsOfField)
  const places = fields.map((field) => ({ field, place: columns.indexOf(columnOf(field.id)) }))
  const empty = plan.collection.fields.map((field): [string, FieldValue] => [field.id, emptyValue(field)])
  const idsIn = (field: Field, ids: readonly string[] = []): FieldValue => (holdsList(field) ? ids : (ids[0] ?? null))
  return ({ row, lists, ids }) =>
    Object.fromEntries([
      ...empty,
      ...places.map(({ field, place }): [string, FieldValue] => [field.id, valueOfCell(field, row[place])]),
      ...reader.lists.map((field, at): [string, FieldValue] => [field.id, lists[at] ?? []]),
      ...reader.references.map((field, at): [string, FieldValue] => [field.id, idsIn(field, ids[at])]),
    ])
}
