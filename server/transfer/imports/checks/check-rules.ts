import { rollupsIn } from '#domain/formulas/value-field.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { Touched } from '#domain/rules/rule-violations.ts'
import type { Rule } from '#domain/rules/rule.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { rollupsBehind, type Writing } from '#server/records/changes/commit-change.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { writeValues } from '#server/records/write/write-values.ts'
import { calculateForRules } from '#server/records/rollups/calculate-rollups.ts'
import { type RuleCheckContext, findViolations, violationProblem } from '#server/records/rules/evaluate-rules.ts'
import type { StagedChange } from '#server/transfer/imports/changes/changes-store.ts'
import { type RowTarget, restrictedRows } from './restricted-fields.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { deleteRows } from '#server/transfer/imports/run/rows-store.ts'
import type { StartedImport } from '#server/transfer/imports/stored-import.ts'

/** New rows by row number, and their IDs in the same order. */
type StoredRows = { readonly numbers: readonly number[]; readonly ids: readonly RecordId[] }

type Removed = { readonly count: number; readonly refused: readonly RowError[] }

/** Removes stored rows that violate a rule. */
export async function removeRuleViolations(
  deps: ImportDeps,
  transaction: Transaction,
  { item, actor, plan }: StartedImport,
  { numbers, ids }: StoredRows,
): Promise<Removed> {
  const { collection } = plan
  if (!collection.rules?.length || ids.length === 0) return NOTHING_REMOVED
  const definitions = await deps.definitions.within(transaction)
  // Rules see the rows of this import, but not those of other pending imports.
  const pendingImports = definitions.pendingImports.filter((id) => id !== item.id)
  const at = deps.clock().toISOString()
  const judging: RuleCheckContext = { transaction, actor, at, definitions: { ...definitions, pendingImports } }
  await calculateForRules(judging, collection, ids, { areIndexed: false })
  const touched = new Map(ids.map((id): [RecordId, Touched] => [id, 'new']))
  const broken = await findViolations(judging, collection, touched)
  if (broken.size === 0) return NOTHING_REMOVED

  await deleteRows(transaction, collection.id, [...broken.keys()])
  return {
    count: broken.size,
    refused: numbers.flatMap((row, at) =>
      ruleErrors(judging, collection, { row, rules: broken.get(ids[at] ?? '') ?? [] }),
    ),
  }
}

const NOTHING_REMOVED: Removed = { count: 0, refused: [] }

type RuleViolation = { readonly row: number; readonly rules: readonly Rule[] }

/** One error per violated rule; the message contains only what the importer may see. */
export function ruleErrors(
  judging: Pick<RuleCheckContext, 'actor' | 'definitions'>,
  collection: Collection,
  { row, rules }: RuleViolation,
): RowError[] {
  const errors = rules.map((rule): RowError => {
    const reported = violationProblem(judging, collection, rule)
    const field = reported.path === '' || rule.field === null ? undefined : fieldById(collection, rule.field)
    return { row, column: field?.label ?? '', code: reported.code, message: reported.message }
  })
  // Several hidden rules can have the same message, so duplicate errors are dropped.
  return errors.filter(({ column, message }, at) =>
    errors.slice(0, at).every((other) => other.column !== column || other.message !== message),
  )
}

type WrittenRows = {
  readonly before: readonly CollectionRecord[]
  readonly written: readonly CollectionRecord[]
  readonly changes: readonly StagedChange[]
}

export const rowTargetOf = ({ row, record, after }: StagedChange): RowTarget => ({
  row,
  record,
  fields: Object.keys(after),
})

export async function revertRuleViolations(
  writing: Writing,
  collection: Collection,
  { before, written, changes }: WrittenRows,
): Promise<{ readonly written: readonly CollectionRecord[]; readonly refused: readonly RowError[] }> {
  const changeOf = new Map(changes.map((change) => [change.record, change]))
  const rollups = rollupsIn(collection.fields)
  const touched = new Map(
    written.map(({ id }): [RecordId, Touched] => {
      const changed = new Set(Object.keys(changeOf.get(id)?.after ?? {}))
      return [id, new Set([...changed, ...rollupsBehind(changed, rollups)])]
    }),
  )
  if (collection.rules?.length)
    await calculateForRules(writing, collection, [...touched.keys()].toSorted(), { areIndexed: true })
  const broken = await findViolations(writing, collection, touched)
  const closed = await restrictedRows(writing, collection, changes.map(rowTargetOf))
  const wrong = new Set([...broken.keys(), ...closed.map(({ record }) => record)])
  if (wrong.size === 0) return { written, refused: [] }

  const back = before.flatMap((was, at) => {
    const [now, change] = [written[at], changeOf.get(was.id)]
    if (!wrong.has(was.id) || !now || !change) return []
    const values = Object.fromEntries(Object.keys(change.after).map((field) => [field, was.values[field] ?? null]))
    // Restores the version as well, as if nothing had been written.
    return [
      { record: { ...now, version: was.version - 1 }, values, updatedAt: was.updatedAt, updatedBy: was.updatedBy },
    ]
  })
  await writeValues(withoutRuleChecks(writing), collection, back)
  return {
    written: written.filter(({ id }) => !wrong.has(id)),
    refused: [
      ...closed.map(({ error }) => error),
      ...[...broken].flatMap(([id, rules]) =>
        ruleErrors(writing, collection, { row: changeOf.get(id)?.row ?? 0, rules }),
      ),
    ],
  }
}
