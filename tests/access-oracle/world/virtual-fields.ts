import type { Random } from '#tests/access-oracle/generate/random.ts'
import type { Kind, Marks, World, WorldCollection, WorldField, WorldRecord, WorldValue } from './world.ts'

type Shape = Pick<WorldCollection, 'name' | 'fields'>

/** Whether a field has no stored values: a formula, or the reverse side of a relation. */
export const isVirtual = ({ formula, reverse }: WorldField): boolean => formula !== undefined || reverse !== undefined

/** Stored fields that a write can change. */
export const storedFields = ({ fields }: Pick<WorldCollection, 'fields'>): readonly WorldField[] =>
  fields.filter((field) => !isVirtual(field))

/** Adds reverse sides of some relations, and formulas over some fields. */
export function withVirtualFields<Some extends Shape>(draw: Random, shapes: readonly Some[], marks: Marks): Some[] {
  return shapes.map((shape) => ({
    ...shape,
    fields: [...shape.fields, ...drawReverseSides(draw, shapes, shape, marks), ...drawFormulas(draw, shape, marks)],
  }))
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
  return withLinks({ ...world, collections })
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
