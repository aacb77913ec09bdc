import { describeError } from '#web/data/api/error-messages.ts'
import type { Field } from '#domain/fields/field.ts'
import type { CellBlock } from '#web/ui/grid/selection/cell-range.ts'
import { plural } from '#web/i18n/t.ts'

import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { createRuleChecker } from '#web/shared/validation-rules/rule-checker.ts'
import { addOptions } from './operations/resolve-names.ts'
import type { RecordCellError } from './store/cell-edits.ts'
import { changeOf, NOTHING_PLANNED, type Planned } from './operations/cell-operations.ts'
import { type CellContext, type RecordRow, rowsIn } from './cell-context.ts'
import { dismissRejection, notifySkipped, notifyRejected, notifyTooMany } from './cell-notifications.ts'
import type { CellWriter, OperationName } from './save/cell-writer.ts'
import { ruleErrors, valueError, valueErrors } from './validate-cells.ts'
import type { ListSync } from './list-sync.ts'
import { type Operation, exceedsRequestLimit, countRecords } from './save/write-cells.ts'

type RunnerDeps = {
  readonly worldNow: () => CellContext
  readonly writer: CellWriter
  readonly list: ListSync
  readonly show: (fault: RecordCellError) => void
}

type Plan = (lines: readonly RecordRow[]) => Promise<Planned> | Planned

type Again = (collection: TypedCollection) => void

type Rejection = { readonly faults: readonly RecordCellError[]; readonly again: Again | undefined }

/** Whether missing options are the only problem. */
const isAboutOptions = ({ unknown }: Planned, faults: readonly RecordCellError[]): boolean =>
  faults.every((fault) => unknown.some(({ field }) => field.name === fault.field))

const addText = (names: readonly string[]): string =>
  plural(names.length, 'Add “{slice}” and continue', 'Add {n} options and continue', { slice: names[0]?.slice(0, 40) })

/** Validates plans in the browser and passes them to the writer. */
export function createOperationRunner({ worldNow, writer, list, show }: RunnerDeps) {
  const carryOut = (name: OperationName, plan: Planned, lines: readonly RecordRow[], again?: Again): void => {
    dismissRejection()
    const faults = [...plan.faults, ...errorsOf(worldNow(), plan, lines)]
    if (faults.length > 0) return refuse(name, plan, { faults, again })
    const operation: Operation = { changes: plan.changes, make: plan.make, remove: [] }
    if (plan.leftOut > 0) notifySkipped(plan.leftOut, countRecords(operation))
    if (countRecords(operation) === 0) return
    if (exceedsRequestLimit(operation)) return notifyTooMany(name, countRecords(operation))
    list.begin(operation)
    void writer.act(name, operation, new Map(lines.map(({ record }) => [record.id, record.version])))
  }
  const refuse = (name: OperationName, plan: Planned, { faults, again }: Rejection): void => {
    const { edits, collection } = worldNow()
    edits.unmark()
    edits.mark(faults.filter(({ record }) => record !== ''))
    const isOffered =
      again !== undefined && isAboutOptions(plan, faults) && collection.can.includes('collections:manage')
    const offer = isOffered && {
      label: addText(plan.unknown.flatMap(({ names }) => names)),
      run: () => void addOptions(worldNow, plan.unknown).then(again, (error: unknown) => fail(name, error)),
    }
    const detail = describeRejection(worldNow(), plan, faults)
    notifyRejected({ name, detail, faults, ...(offer && { offer }) }, show)
  }
  const fail = (name: OperationName, error: unknown): void =>
    notifyRejected({ name, detail: describeError(error).detail, faults: [] }, show)

  return {
    carryOut,
    fail,
    /** Loads missing rows first. */
    over: async (name: OperationName, { rows, rowCount }: CellBlock, plan: Plan, again?: Again): Promise<void> => {
      if (exceedsRequestLimit({ ...NOTHING_PLANNED, remove: Array.from({ length: rowCount }, () => '') }))
        return notifyTooMany(name, rowCount)
      const carry = async (): Promise<void> => {
        const lines = await rowsIn(worldNow(), rows)
        carryOut(name, await plan(lines), lines, again)
      }
      await carry().then(undefined, (error: unknown) => fail(name, error))
    },
    /** Returns the error if the value is rejected. */
    edit: (line: RecordRow, field: Field, value: unknown): string | undefined => {
      const change = changeOf(line, field, value)
      if (!change) return undefined
      const plan: Planned = { ...NOTHING_PLANNED, changes: [change] }
      const fault = valueError(field, value) ?? ruleErrorsOf(worldNow(), plan, [line])[0]?.message
      if (fault === undefined) carryOut('edit', plan, [line])
      return fault
    },
  }
}

const errorsOf = (world: CellContext, plan: Planned, lines: readonly RecordRow[]): readonly RecordCellError[] => [
  ...valueErrors(world.collection, plan.changes),
  ...ruleErrorsOf(world, plan, lines),
]

function ruleErrorsOf(
  { collection }: CellContext,
  { changes }: Planned,
  lines: readonly RecordRow[],
): readonly RecordCellError[] {
  if (!collection.rules?.length || changes.length === 0) return []
  return ruleErrors(createRuleChecker(collection), changes, lines)
}

function describeRejection(
  { collection }: CellContext,
  { firstFault }: Planned,
  faults: readonly RecordCellError[],
): string {
  const [first] = faults
  const label = collection.fields.find(({ name }) => name === first?.field)?.label
  const said = firstFault ?? (label === undefined ? (first?.message ?? '') : `${label}: ${first?.message}`)
  if (faults.length === 1) return said
  return `${said} ${plural(faults.length - 1, 'One more cell is highlighted.', '{n} more cells are highlighted.')}`
}
