import { failureText } from '#web/client/problem-text.ts'
import type { Field } from '#domain/fields/field.ts'
import type { CellBlock } from '#web/kit/grid/cell-range.ts'
import { plural } from '#web/language/t.ts'
import type { RecordLine } from '../record-line.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { ruleJudge } from '../rule-judge.ts'
import { addChoices } from './add-choices.ts'
import type { CellFault } from './cell-edits.ts'
import { changeOf, NOTHING_PLANNED, type Planned } from './cell-deeds.ts'
import { type CellWorld, linesIn } from './cell-world.ts'
import { forgetRefusal, tellLeftOut, tellRefused, tellTooMuch } from './cell-words.ts'
import type { CellWriter, DeedName } from './cell-writer.ts'
import { ruleFaults, valueFault, valueFaults } from './judge-cells.ts'
import type { ListUpkeep } from './list-upkeep.ts'
import { type Deed, isTooMuch, recordsIn } from './write-cells.ts'

type Means = {
  readonly worldNow: () => CellWorld
  readonly writer: CellWriter
  readonly list: ListUpkeep
  /** Leads to a cell. */
  readonly show: (fault: CellFault) => void
}

/** Plans over some lines, and what it has come to. */
type Plan = (lines: readonly RecordLine[]) => Promise<Planned> | Planned

/** Does the same once more, with the collection as it is by now. */
type Again = (collection: KnownCollection) => void

type Refusing = { readonly faults: readonly CellFault[]; readonly again: Again | undefined }

/** Whether nothing stands in the way but words that are no choices yet. */
const isAboutChoices = ({ unknown }: Planned, faults: readonly CellFault[]): boolean =>
  faults.every((fault) => unknown.some(({ field }) => field.name === fault.field))

const addText = (names: readonly string[]): string =>
  plural(names.length, 'Add “{slice}” and go on', 'Add {n} choices and go on', { slice: names[0]?.slice(0, 40) })

/** Carries plans out: judges them as far as that can be done here, and hands them to the writer. */
export function createCarrier({ worldNow, writer, list, show }: Means) {
  const carryOut = (name: DeedName, plan: Planned, lines: readonly RecordLine[], again?: Again): void => {
    forgetRefusal()
    const faults = [...plan.faults, ...faultsOf(worldNow(), plan, lines)]
    if (faults.length > 0) return refuse(name, plan, { faults, again })
    const deed: Deed = { changes: plan.changes, make: plan.make, remove: [] }
    if (plan.leftOut > 0) tellLeftOut(plan.leftOut, recordsIn(deed))
    if (recordsIn(deed) === 0) return
    if (isTooMuch(deed)) return tellTooMuch(name, recordsIn(deed))
    list.begin(deed)
    void writer.act(name, deed, new Map(lines.map(({ record }) => [record.id, record.version])))
  }
  const refuse = (name: DeedName, plan: Planned, { faults, again }: Refusing): void => {
    const { edits, collection } = worldNow()
    edits.unmark()
    edits.mark(faults.filter(({ record }) => record !== ''))
    const isOffered =
      again !== undefined && isAboutChoices(plan, faults) && collection.can.includes('collections:manage')
    const offer = isOffered && {
      label: addText(plan.unknown.flatMap(({ names }) => names)),
      run: () => void addChoices(worldNow, plan.unknown).then(again, (error: unknown) => fail(name, error)),
    }
    const detail = refusalText(worldNow(), plan, faults)
    tellRefused({ name, detail, faults, ...(offer && { offer }) }, show)
  }
  const fail = (name: DeedName, error: unknown): void =>
    tellRefused({ name, detail: failureText(error).detail, faults: [] }, show)

  return {
    carryOut,
    fail,
    /** Carries out what is planned over marked cells; those that are not loaded are read first. */
    over: async (name: DeedName, { rows, rowCount }: CellBlock, plan: Plan, again?: Again): Promise<void> => {
      if (isTooMuch({ ...NOTHING_PLANNED, remove: Array.from({ length: rowCount }, () => '') }))
        return tellTooMuch(name, rowCount)
      const carry = async (): Promise<void> => {
        const lines = await linesIn(worldNow(), rows)
        carryOut(name, await plan(lines), lines, again)
      }
      await carry().then(undefined, (error: unknown) => fail(name, error))
    },
    /** Gives a cell a value; says what is wrong with it, where it is not taken. */
    edit: (line: RecordLine, field: Field, value: unknown): string | undefined => {
      const change = changeOf(line, field, value)
      if (!change) return undefined
      const plan: Planned = { ...NOTHING_PLANNED, changes: [change] }
      const fault = valueFault(field, value) ?? brokenRules(worldNow(), plan, [line])[0]?.message
      if (fault === undefined) carryOut('edit', plan, [line])
      return fault
    },
  }
}

const faultsOf = (world: CellWorld, plan: Planned, lines: readonly RecordLine[]): readonly CellFault[] => [
  ...valueFaults(world.collection, plan.changes),
  ...brokenRules(world, plan, lines),
]

function brokenRules(
  { collection }: CellWorld,
  { changes }: Planned,
  lines: readonly RecordLine[],
): readonly CellFault[] {
  if (!collection.rules?.length || changes.length === 0) return []
  return ruleFaults(ruleJudge(collection), changes, lines)
}

function refusalText({ collection }: CellWorld, { firstFault }: Planned, faults: readonly CellFault[]): string {
  const [first] = faults
  const label = collection.fields.find(({ name }) => name === first?.field)?.label
  const said = firstFault ?? (label === undefined ? (first?.message ?? '') : `${label}: ${first?.message}`)
  if (faults.length === 1) return said
  return `${said} ${plural(faults.length - 1, 'One more cell is marked.', '{n} more cells are marked.')}`
}
