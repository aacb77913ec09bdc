import { expectUpdates, NEW } from './expect-single-write.ts'
import {
  areOpen,
  expectedRejection,
  covering,
  ruleErrors,
  FORBIDDEN,
  grantsOf,
  NO_RECORD,
  recordIn,
  type Sent,
  withRecord,
  type Writer,
} from './expect-write.ts'
import type { Right } from './viewpoint.ts'
import {
  emptyOf,
  optionsOf,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
} from '#tests/access-oracle/world/world.ts'

export type Csv = {
  readonly fields: readonly WorldField[]
  readonly rows: readonly Sent[]
  readonly bad: readonly boolean[]
  readonly id: string | undefined
  readonly skips: boolean
}

export type ExpectedImport = {
  readonly outcomes: readonly string[]
  readonly world: World
  readonly records: readonly WorldRecord['values'][]
}

export function expectImport(writer: Writer, home: WorldCollection, csv: Csv): ExpectedImport {
  const closed =
    expectedRejection(writer, home.name, 'import') ??
    (areAllOpen(writer, home, 'import', csv) ? undefined : '400 invalid-csv') ??
    (csv.id === undefined ? undefined : closedToKeys(writer, home, csv)) ??
    // With a workflow, a status changes only through transitions, except for users who manage the collection.
    (!mayBringStates(writer, home) && csv.fields.some(({ name }) => name === home.laws.workflow?.field)
      ? '422 use-transition'
      : undefined)
  if (closed !== undefined) return { outcomes: [closed], world: writer.world, records: [] }
  return csv.id === undefined ? evaluateNew(writer, home, csv) : evaluateKnown(writer, home, csv, csv.id)
}

const areAllOpen = (writer: Writer, { name: home }: WorldCollection, right: Right, { fields }: Csv): boolean =>
  fields.every(({ name }) => grantsOf(writer, home, right).some(({ hidden }) => !hidden.includes(name)))

/** Rows update records found by a key, which requires read and update permission for all of them. */
function closedToKeys(writer: Writer, home: WorldCollection, csv: Csv): string | undefined {
  const isWhole = (right: Right): boolean => grantsOf(writer, home.name, right).some(({ where }) => !where)
  if (!isWhole('read') || !isWhole('update')) return FORBIDDEN
  const areOpenToo = areAllOpen(writer, home, 'read', csv) && areAllOpen(writer, home, 'update', csv)
  return areOpenToo ? undefined : '400 invalid-request'
}

const mayBringStates = ({ viewpoint }: Writer, { name }: WorldCollection): boolean => viewpoint.manages.has(name)

function evaluateKnown(writer: Writer, home: WorldCollection, { rows, bad, skips }: Csv, id: string): ExpectedImport {
  const bringer: Writer = { ...writer, bringsStates: mayBringStates(writer, home) }
  const { refusals, world } = expectUpdates(bringer, home, [{ id, sent: rows[0] ?? {} }], true)
  if (refusals.size === 0 && !bad.includes(true)) return { outcomes: ['done'], world, records: [] }
  return { outcomes: skips ? ['done', 'failed'] : ['failed'], world: writer.world, records: [] }
}

function evaluateNew(writer: Writer, home: WorldCollection, { rows, bad, skips }: Csv): ExpectedImport {
  const { world } = writer
  const starting = home.fields.map((field) => [
    field.name,
    field.kind === 'state' ? optionsOf(field)[0] : emptyOf(field),
  ])
  const records = rows.map((row): WorldRecord['values'] => ({ ...Object.fromEntries(starting), ...row }))
  const good = records.filter((values, at) => {
    if (bad[at] === true) return false
    const record: WorldRecord = { id: NEW, createdBy: writer.viewpoint.me.id, values }
    const after = { ...writer, world: withRecord(writer.world, home.name, record) }
    return ruleErrors(after, home, { before: null, after: recordIn(after.world, home.name, record) }).length === 0
  })
  if (good.length === records.length) return { outcomes: ['done'], world, records: good }
  if (!skips) return { outcomes: ['failed'], world, records: [] }
  return { outcomes: good.length > 0 ? ['done'] : ['done', 'failed'], world, records: good }
}

export function expectUpload(
  writer: Writer,
  home: WorldCollection,
  field: WorldField,
  id: string | undefined,
): string | undefined {
  const right = id === undefined ? 'create' : 'update'
  const closed = expectedRejection(writer, home.name, right, false)
  if (closed) return closed
  const grants = grantsOf(writer, home.name, right)
  const isIn = (some: typeof grants): boolean => some.some(({ hidden }) => !hidden.includes(field.name))
  if (field.kind !== 'files') return '400 invalid-upload'
  if (!isIn(grants)) return isIn(grantsOf(writer, home.name, 'read')) ? FORBIDDEN : '400 invalid-upload'
  if (id === undefined) return undefined
  const record = home.records.find((one) => one.id === id)
  const context = { home, right, grants } as const
  if (!record || covering(writer, context, record).length === 0) return NO_RECORD
  return areOpen(writer, context, record, [field.name]) ? undefined : FORBIDDEN
}
