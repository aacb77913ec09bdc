import { type Field, hasSelectOptions, holdsList, linkedCollection, type SelectOption } from '../fields/field.ts'
import type { FieldId } from '../shared/ids.ts'
import { type Json, sameJson } from '../shared/json.ts'
import type { Collection } from './collection.ts'

/** A definition as it is now, and before and after the change to undo. */
export type ChangedDefinition<Thing> = { readonly current: Thing; readonly before: Thing; readonly after: Thing }

/** What is set back, and whether something stays as it is because it was changed again since. */
export type SetBack<Thing> = { readonly value: Thing; readonly isKept: boolean }

/** Whether two definitions of a field store the same kind of value. */
export const storesSame = (one: Field, other: Field): boolean =>
  one.kind === other.kind && holdsList(one) === holdsList(other) && targetOf(one) === targetOf(other)

const targetOf = (field: Field): string | undefined =>
  field.kind === 'reverse' ? field.options.relation : linkedCollection(field)

const SETTINGS = [
  'name',
  'label',
  'titleField',
  'icon',
  'color',
  'group',
  'description',
  'rules',
  'workflow',
  'layout',
] as const

export type CollectionSettings = Pick<Collection, (typeof SETTINGS)[number]>

/** The settings of a collection that a change is undone to: those that still have the value that it gave them. */
export const undoneSettings = (changed: ChangedDefinition<CollectionSettings>): SetBack<Partial<CollectionSettings>> =>
  setBackParts(changed, SETTINGS)

/** Only the parts that differ from the current ones; `undefined` for parts that are removed. */
export function setBackParts<Thing, Part extends keyof Thing>(
  { current, before, after }: ChangedDefinition<Thing>,
  parts: readonly Part[],
): SetBack<Partial<Thing>> {
  const value: Partial<Thing> = {}
  let isKept = false
  for (const part of parts) {
    if (isSame(before[part], after[part]) || isSame(current[part], before[part])) continue
    if (isSame(current[part], after[part])) value[part] = before[part]
    else isKept = true
  }
  return { value, isKept }
}

const isSame = (one: unknown, other: unknown): boolean => sameJson(jsonOf(one), jsonOf(other))

/** Definitions are plain JSON. Removed parts can be undefined, and lists of rules empty. */
const jsonOf = (part: unknown): Json =>
  part === undefined || (Array.isArray(part) && part.length === 0) ? null : (part as Json)

/** The field that a change is undone to. A type is set back together with the options and default value that fit it. */
export function undoneField({ current, before, after }: ChangedDefinition<Field>): SetBack<Field> {
  const changed = { current, before, after }
  const plain = setBackParts(changed, ['name', 'label', 'description', 'required'])
  const named = { ...current, ...plain.value }
  if (!storesSame(current, after)) {
    const isAlreadyBack = storesSame(current, before)
    return { value: fieldOf(named), isKept: plain.isKept || !isAlreadyBack }
  }
  if (!storesSame(before, after)) {
    const { kind, unique, default: preset, options } = before
    return { value: fieldOf({ ...named, kind, unique, default: preset, options }), isKept: plain.isKept }
  }
  const typed = setBackParts(changed, ['unique', 'default'])
  const options = undoneOptions(changed)
  return {
    value: fieldOf({ ...named, ...typed.value, options: options.value }),
    isKept: plain.isKept || typed.isKept || options.isKept,
  }
}

/** The compiler can't tell that the kind, options and default value belong together. */
const fieldOf = (parts: { readonly [Part in keyof Field]: unknown }): Field => definedParts(parts) as Field

const definedParts = (parts: object): object =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))

type Options = { readonly [option: string]: unknown }

function undoneOptions({ current, before, after }: ChangedDefinition<Field>): SetBack<Options> {
  if (!hasSelectOptions(current) || !hasSelectOptions(before) || !hasSelectOptions(after)) {
    const optionsOf = (field: Field): Options => ({ ...field.options })
    const names = Object.keys({ ...before.options, ...after.options })
    const changed = { current: optionsOf(current), before: optionsOf(before), after: optionsOf(after) }
    const { value, isKept } = setBackParts(changed, names)
    return { value: definedParts({ ...current.options, ...value }) as Options, isKept }
  }
  const choices = undoneChoices({
    current: current.options.choices,
    before: before.options.choices,
    after: after.options.choices,
  })
  return { value: { choices: choices.value }, isKept: choices.isKept }
}

function undoneChoices({
  current,
  before,
  after,
}: ChangedDefinition<readonly SelectOption[]>): SetBack<readonly SelectOption[]> {
  const find = (list: readonly SelectOption[], id: string) => list.find((one) => one.id === id)
  let isKept = false
  const kept = current.flatMap((choice): SelectOption[] => {
    const [was, became] = [find(before, choice.id), find(after, choice.id)]
    if (!became) return [choice]
    if (!was) return []
    const back = setBackParts({ current: choice, before: was, after: became }, ['name', 'color'])
    isKept ||= back.isKept
    return [{ ...choice, ...back.value }]
  })
  const removed = before.filter(({ id }) => !find(after, id) && !find(current, id))
  const known = new Map([...kept, ...removed].map((choice) => [choice.id, choice]))
  const ids = undoneOrder({ current: idsOf(current), before: idsOf(before), after: idsOf(after) })
  return { value: ids.flatMap((id) => known.get(id) ?? []), isKept }
}

const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id)

/**
 * The current order, with what the change removed after what preceded it. If the change reordered what is left, and
 * nothing was reordered since, that gets its former order.
 */
export function undoneOrder({ current, before, after }: ChangedDefinition<readonly string[]>): readonly string[] {
  const common = new Set(before.filter((id) => after.includes(id) && current.includes(id)))
  const among = (ids: readonly string[]) => ids.filter((id) => common.has(id))
  const [was, became, is] = [among(before), among(after), among(current)]
  const order = !isSame(was, became) && isSame(is, became) ? was : is
  let next = 0
  const list = current.map((id) => (common.has(id) ? (order[next++] ?? id) : id))
  for (const [at, id] of before.entries()) {
    if (list.includes(id) || after.includes(id)) continue
    const previous = before.slice(0, at).findLast((one) => list.includes(one))
    list.splice(previous === undefined ? 0 : list.indexOf(previous) + 1, 0, id)
  }
  return list
}

/** What a change did to the fields of a collection, and what undoing it does to the current ones. */
export type UndoneFields = {
  /** Fields that the change deleted. */
  readonly restored: readonly FieldId[]
  /** Fields that the change added, and that still exist. */
  readonly deleted: readonly FieldId[]
  /** Fields that are set back, with the definition that the change gave them. */
  readonly changed: readonly { readonly next: Field; readonly after: Field }[]
  /** Fields that stay as they are, at least in part, because they were changed again since. */
  readonly kept: readonly Field[]
}

export function undoneFields({ current, before, after }: ChangedDefinition<Collection>): UndoneFields {
  const find = ({ fields }: Collection, id: FieldId) => fields.find((field) => field.id === id)
  const both = current.fields.flatMap((field) => {
    const [was, became] = [find(before, field.id), find(after, field.id)]
    return was && became && !isSame(was, became) ? [{ field, was, became }] : []
  })
  const undone = both.map(({ field, was, became }) => ({
    field,
    after: became,
    ...undoneField({ current: field, before: was, after: became }),
  }))
  return {
    restored: idsOf(before.fields.filter(({ id }) => !find(after, id) && !find(current, id))),
    deleted: idsOf(after.fields.filter(({ id }) => !find(before, id) && find(current, id))),
    changed: undone.flatMap(({ field, value, after: became }) =>
      isSame(field, value) ? [] : [{ next: value, after: became }],
    ),
    kept: undone.flatMap(({ field, isKept }) => (isKept ? [field] : [])),
  }
}
