import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Kind, Marks, World, WorldCollection, WorldField, WorldRecord, WorldRollup, WorldValue } from './world.ts'

type Shape = Pick<WorldCollection, 'name' | 'fields'>

/** Whether values are calculated: a formula, the reverse side of a relation, or a summary of linked records. */
export const isVirtual = ({ formula, reverse, rollup }: WorldField): boolean =>
  formula !== undefined || reverse !== undefined || rollup !== undefined

export const isRollup = ({ rollup }: WorldField): boolean => rollup !== undefined

/** Stored fields that a write can change. */
export const storedFields = ({ fields }: Pick<WorldCollection, 'fields'>): readonly WorldField[] =>
  fields.filter((field) => !isVirtual(field))

/** Adds reverse sides of some relations, and formulas over some fields. */
export function withVirtualFields<Some extends Shape>(draw: Random, shapes: readonly Some[], marks: Marks): Some[] {
  const virtual = shapes.map((shape) => ({
    ...shape,
    fields: [...shape.fields, ...drawReverseSides(draw, shapes, shape, marks), ...drawFormulas(draw, shape, marks)],
  }))
  if (draw.chance(0.5)) return virtual
  return virtual.map((shape) => ({ ...shape, fields: [...shape.fields, ...drawRollups(draw, virtual, shape, marks)] }))
}

const SUMMARIES: { readonly [K in Kind]?: Exclude<WorldRollup['summary'], 'first'> } = {
  number: 'sum',
  text: 'join',
  checkbox: 'any',
}

const RESULTS: { readonly [Name in Exclude<WorldRollup['summary'], 'first'>]: Kind } = {
  count: 'number',
  sum: 'number',
  join: 'text',
  any: 'checkbox',
}

/** Summaries of linked records, as fields and in formulas, in both directions. */
function drawRollups(draw: Random, shapes: readonly Shape[], { fields }: Shape, marks: Marks): WorldField[] {
  return draw
    .some(
      fields.filter(({ kind }) => kind === 'relation'),
      3,
    )
    .map((link) => {
      const there = shapes.find(({ name }) => name === link.target)?.fields ?? []
      const summarized = draw.chance(0.3) ? null : draw.one(there.filter(({ kind }) => SUMMARIES[kind] !== undefined))
      const summary = (summarized && SUMMARIES[summarized.kind]) ?? 'count'
      const relation = link.reverse === undefined ? [] : [link.reverse]
      const disclosed = summarized ? [summarized.name, ...(summarized.formula?.inputs ?? [])] : []
      const isSingle = link.reverse === undefined ? !link.many : isUniqueIn(there, link.reverse)
      const own = { path: link.name, field: summarized?.name ?? null }
      const formula = draw.chance(0.5) ? formulaOf({ ...own, summary, isFirst: isSingle && draw.chance(0.6) }) : {}
      return {
        name: `rolled${marks.next()}`,
        label: `Rolled ${marks.next()}`,
        kind: RESULTS[summary],
        many: false,
        target: '',
        rollup: { ...own, target: link.target, summary, inputs: [...relation, ...disclosed], ...formula },
      }
    })
}

const isUniqueIn = (fields: readonly WorldField[], name: string): boolean =>
  fields.some((field) => field.name === name && field.isUnique === true)

type LinkedValue = Pick<WorldRollup, 'path' | 'field' | 'summary'> & { readonly isFirst: boolean }

/** A formula with a summary or, if a record has one link at most, with the value of the linked record. */
function formulaOf({ path, field, summary, isFirst }: LinkedValue): Partial<WorldRollup> {
  const isValue = isFirst && field !== null
  const linked = isValue ? `${path}.${field}` : `${summary}(${path}${field === null ? '' : `.${field}`})`
  const from = isValue ? { summary: 'first' as const } : {}
  switch (summary) {
    case 'join':
      return { ...from, formula: { text: `"<" & ${linked} & ">"`, valueOf: (value) => `<${textOf(value)}>` } }
    case 'any':
      return { ...from, formula: { text: `not(${linked})`, valueOf: (value) => value !== true } }
    default:
      return {
        ...from,
        formula: { text: `${linked} * 2 + 1`, valueOf: (value) => (isNumber(value) ? value * 2 + 1 : null) },
      }
  }
}

/** A world in which the summaries follow from all linked records. */
function withRollups(world: World): World {
  const collections = world.collections.map((home) => {
    const rollups = home.fields.filter(isRollup)
    if (rollups.length === 0) return home
    const records = home.records.map((record) => ({
      ...record,
      values: {
        ...record.values,
        ...Object.fromEntries(rollups.map((field) => [field.name, calculatedIn(world, home, record, field)])),
      },
    }))
    return { ...home, records }
  })
  return { ...world, collections }
}

function calculatedIn(world: World, home: WorldCollection, record: WorldRecord, field: WorldField): WorldValue {
  const summary = summaryIn(world, home, record, field)
  return field.rollup?.formula ? field.rollup.formula.valueOf(summary) : summary
}

function summaryIn(world: World, { fields }: WorldCollection, { values }: WorldRecord, field: WorldField): WorldValue {
  const { path = '', target = '', field: summarized = null, summary = 'count' } = field.rollup ?? {}
  const there = world.collections.find(({ name }) => name === target)?.records ?? []
  const ids = [values[path] ?? []].flat().map(String)
  const isReverse = fields.some(({ name, reverse }) => name === path && reverse !== undefined)
  const linked = (isReverse ? ids.toSorted() : ids).flatMap((id) => there.find((one) => one.id === id) ?? [])
  if (summarized === null) return linked.length
  return summaryOf(
    linked.map((one) => one.values[summarized] ?? null),
    summary,
  )
}

function summaryOf(values: readonly WorldValue[], summary: WorldRollup['summary']): WorldValue {
  if (summary === 'first') return values[0] ?? null
  if (summary === 'sum') return values.filter(isNumber).reduce((sum, value) => sum + value, 0)
  if (summary === 'any') return values.includes(true)
  return values.filter((value) => typeof value === 'string' && value !== '').join(', ') || null
}

function drawReverseSides(draw: Random, shapes: readonly Shape[], { name }: Shape, marks: Marks): WorldField[] {
  return shapes.flatMap((source) =>
    source.fields
      .filter(({ kind, target }) => kind === 'relation' && target === name && draw.chance(0.5))
      .map((relation) => ({
        name: `back${marks.next()}`,
        label: `Back ${marks.next()}`,
        kind: 'relation' as const,
        many: true,
        target: source.name,
        reverse: relation.name,
      })),
  )
}

const isNumber = (value: WorldValue | undefined): value is number => typeof value === 'number'
const textOf = (value: WorldValue | undefined): string => (typeof value === 'string' ? value : '')

type Recipe = {
  readonly name: string
  readonly kind: Kind
  readonly of: readonly string[]
  readonly text: (...names: readonly string[]) => string
  readonly value: (...values: readonly (WorldValue | undefined)[]) => WorldValue
}

/** Formulas by the beginning of the names of the fields that they read; a later one can read an earlier one. */
const RECIPES: readonly Recipe[] = [
  {
    name: 'total',
    kind: 'number',
    of: ['amount'],
    text: (amount) => `${amount} * 2`,
    value: (amount) => (isNumber(amount) ? amount * 2 : null),
  },
  {
    name: 'worth',
    kind: 'number',
    of: ['total', 'cost'],
    text: (total, cost) => `when_empty(${total}, 0) + when_empty(${cost}, 0)`,
    value: (total, cost) => (isNumber(total) ? total : 0) + (isNumber(cost) ? cost : 0),
  },
  {
    name: 'motto',
    kind: 'text',
    of: ['code', 'note'],
    text: (code, note) => `${code} & ${note}`,
    value: (code, note) => `${textOf(code)}${textOf(note)}` || null,
  },
  {
    name: 'headline',
    kind: 'text',
    of: ['title', 'status'],
    text: (title, status) => `${title} & "/" & ${status}`,
    value: (title, status) => `${textOf(title)}/${textOf(status)}`,
  },
  {
    name: 'isLarge',
    kind: 'checkbox',
    of: ['cost'],
    text: (cost) => `${cost} > 1`,
    value: (cost) => isNumber(cost) && cost > 1,
  },
  {
    name: 'doneOn',
    kind: 'date',
    of: ['isDone', 'dueOn'],
    text: (isDone, dueOn) => `if(${isDone}, ${dueOn})`,
    value: (isDone, dueOn) => (isDone === true ? (dueOn ?? null) : null),
  },
]

function drawFormulas(draw: Random, { fields }: Shape, marks: Marks): WorldField[] {
  const made: WorldField[] = []
  for (const { name, kind, of, text, value } of RECIPES) {
    const found = of.flatMap((start) => {
      const wanted = new RegExp(`^${start}(?:qzq|$)`)
      return [...fields, ...made].find((field) => wanted.test(field.name)) ?? []
    })
    if (found.length < of.length || draw.chance(0.35)) continue
    const names = found.map((field) => field.name)
    made.push({
      name: name === 'total' ? name : `${name}${marks.next()}`,
      label: `${name} ${marks.next()}`,
      kind,
      many: false,
      target: '',
      formula: {
        text: text(...names),
        inputs: [...names, ...found.flatMap(({ formula }) => formula?.inputs ?? [])],
        valueIn: (values) => value(...names.map((each) => values[each])),
      },
    })
  }
  return made
}

/** A world in which the values of virtual fields follow from the stored ones. */
export function settled(world: World): World {
  const collections = world.collections.map((home) => ({
    ...home,
    records: home.records.map((record) => withFormulas(home, record)),
  }))
  return withRollups(withLinks({ ...world, collections }))
}

function withFormulas({ fields }: WorldCollection, record: WorldRecord): WorldRecord {
  const values = { ...record.values }
  // Formulas are in an order in which each is calculated after its inputs.
  for (const { name, formula } of fields) if (formula) values[name] = formula.valueIn(values)
  for (const { name, reverse } of fields) if (reverse !== undefined) values[name] = []
  return { ...record, values }
}

/** A world in which each reverse side that a record has contains the records whose relation leads to it. */
export function withLinks(world: World): World {
  const linksTo = (id: string, { target, reverse = '' }: WorldField): readonly string[] => {
    const there = world.collections.find(({ name }) => name === target)
    return (there?.records ?? []).flatMap((record) => ([record.values[reverse]].flat().includes(id) ? record.id : []))
  }
  const collections = world.collections.map((home) => {
    const reverse = home.fields.filter((field) => field.reverse !== undefined)
    const linked = (record: WorldRecord): WorldRecord => {
      const shown = reverse.filter(({ name }) => Object.hasOwn(record.values, name))
      const links = shown.map((field) => [field.name, linksTo(record.id, field)] as const)
      return { ...record, values: { ...record.values, ...Object.fromEntries(links) } }
    }
    return reverse.length === 0 ? home : { ...home, records: home.records.map(linked) }
  })
  return { ...world, collections }
}

/** The fields of a collection that a field is calculated from, or the field itself if it is stored. */
export function storedInputs({ name: home, fields }: WorldCollection, name: string): readonly string[] {
  const field = fields.find((one) => one.name === name)
  if (field?.reverse !== undefined) return field.target === home ? [field.reverse] : []
  if (field?.rollup) return [field.rollup.path]
  return field?.formula?.inputs ?? [name]
}

const MAX_LINKS_SHOWN = 10

/** Values as a response contains them: a reverse side with its number of records and the first of them. */
export function shownValues({ fields }: Pick<WorldCollection, 'fields'>, values: WorldRecord['values']): object {
  const isReverse = (name: string): boolean => fields.some((one) => one.name === name && one.reverse !== undefined)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isReverse(name) ? shownLinks([value].flat()) : value]),
  )
}

export const shownLinks = (links: readonly unknown[]): object => ({
  count: links.length,
  records: links.slice(0, MAX_LINKS_SHOWN),
})
