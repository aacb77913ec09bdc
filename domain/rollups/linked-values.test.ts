import { expect, test } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import { checkFormulaField, collectionFormulas, formulaByName } from '#domain/formulas/formula-fields.ts'
import { formulaContext } from './linked-values.ts'
import { findCycle } from './rollup-graph.ts'

const idOf = (suffix: string): string => `01jd9q4z7m3k8w2x5v6c0b1n4${suffix}`

const field = <Kind extends FieldKind>(suffix: string, name: string, kind: Kind, options: OptionsOf[Kind]): Field => {
  const shared = { id: idOf(suffix), name, label: name, kind, required: false, unique: false, default: null, options }
  // The options are checked by the parameter type.
  return shared as unknown as Field
}

const collection = (suffix: string, name: string, fields: readonly Field[]): Collection => ({
  id: idOf(suffix),
  name,
  label: name,
  fields,
  titleField: null,
  version: 1,
})

const tasks = collection('t', 'tasks', [
  field('a', 'title', 'text', {}),
  field('b', 'hours', 'number', {}),
  field('c', 'project', 'relation', { collection: idOf('p'), many: false }),
  field('d', 'late', 'formula', { formula: 'today() > to_date("2026-01-01")', result: 'checkbox' }),
])
const projects = collection('p', 'projects', [
  field('e', 'rate', 'number', {}),
  field('f', 'tasks', 'reverse', { collection: idOf('t'), relation: idOf('c') }),
])
const all = [tasks, projects]

function check(home: Collection, text: string, existing?: Field) {
  let count = 0
  const context = formulaContext(
    {
      collection: home,
      collectionOf: (id) => all.find((each) => each.id === id),
      timeZone: 'UTC',
      reads: (_, id) => id !== idOf('a'),
      newId: () => `new-${(count += 1)}`,
      existing,
    },
    { siblings: home.fields, isVisible: () => true },
  )
  return checkFormulaField(text, { id: idOf('x'), name: 'sum', label: 'Sum' }, context)
}

const fault = (home: Collection, text: string) => {
  const checked = check(home, text)
  return checked.ok ? 'accepted' : checked.fault
}

test('a formula stores each value of linked records once, by the IDs of its path', () => {
  const checked = check(projects, 'rate * sum(tasks.hours) + sum(tasks.hours) / count(tasks)')
  expect(checked).toMatchObject({
    value: {
      result: 'number',
      linked: [
        { id: 'new-1', kind: 'rollup', options: { path: [idOf('f')], field: idOf('b'), function: 'sum' } },
        { id: 'new-2', kind: 'rollup', options: { path: [idOf('f')], function: 'count' } },
      ],
    },
  })
  const options = checked.ok ? checked.value : { formula: '', result: 'text' as const }
  const stored = field('x', 'sum', 'formula', options)
  expect(collectionFormulas({ fields: [...projects.fields, stored] }).get(stored.id)?.ok).toBe(true)
  expect(formulaByName(options.formula, projects, (id) => all.find((each) => each.id === id))).toBe(
    'rate * sum(tasks.hours) + sum(tasks.hours) / count(tasks)',
  )
  const kept = field('x', 'sum', 'formula', {
    ...options,
    linked: options.linked?.map((each) => ({ ...each, id: 'old' })) ?? [],
  })
  expect(check(projects, 'max(tasks.hours) - sum(tasks.hours)', kept)).toMatchObject({
    value: {
      linked: [
        { id: 'new-1', options: { function: 'max' } },
        { id: 'old', options: { function: 'sum' } },
      ],
    },
  })
})

test('the value of a single linked record needs no function', () => {
  expect(check(tasks, 'project.rate * hours')).toMatchObject({
    value: { linked: [{ kind: 'lookup', options: { function: 'first', result: 'number' } }] },
  })
  expect(fault(projects, '2 * tasks.hours')).toMatchObject({
    message: '“tasks.hours” can have several values. Summarize them, such as sum(tasks.hours).',
    position: 4,
    end: 15,
  })
})

test('paths that can’t be followed are errors at their place', () => {
  expect(fault(projects, '1 + sum(tasks.hour)')).toMatchObject({ position: 8, end: 18 })
  expect(fault(projects, 'join(tasks.title)')).toMatchObject({ message: 'There is no field “title” in tasks.' })
  expect(fault(projects, 'any(tasks.late)')).toMatchObject({ message: expect.stringContaining('current time') })
  expect(fault(projects, 'sum(tasks)')).toMatchObject({ message: expect.stringContaining('leads to linked records') })
  expect(fault(projects, 'rate.hours')).toMatchObject({
    message: expect.stringContaining('isn’t a linked record field'),
  })
  expect(fault(projects, 'count(tasks.project.tasks.project)')).toMatchObject({
    message: 'A path can follow at most 3 links.',
  })
  expect(fault(projects, 'sum(tasks.project.tasks.project.rate)')).toMatchObject({
    message: 'A path can follow at most 3 links.',
  })
  expect(fault(projects, 'first(rate)')).toMatchObject({
    message: expect.stringContaining('such as first(tasks.title)'),
  })
})

test('a formula of linked records that leads back to itself is a cycle', () => {
  const spent = check(projects, 'sum(tasks.hours) + rate')
  const options = spent.ok ? spent.value : { formula: '', result: 'number' as const }
  const linked = (options.linked ?? []).map((value) => ({
    ...value,
    options: { ...value.options, field: idOf('y') },
  }))
  const home = { ...projects, fields: [...projects.fields, field('x', 'sum', 'formula', { ...options, linked })] }
  const back = { kind: 'lookup', options: { path: [idOf('c')], field: idOf('x'), function: 'first', result: 'number' } }
  const share = field('y', 'share', 'formula', {
    formula: `${idOf('c')}.${idOf('x')} / 2`,
    result: 'number',
    linked: [{ id: 'other', ...back } as never],
  })
  const list = [home, { ...tasks, fields: [...tasks.fields, share] }]
  const cycle = findCycle({ list, collectionOf: (id) => list.find((each) => each.id === id), timeZone: 'UTC' })
  expect(cycle?.map((place) => place.field.name)).toEqual(['sum', 'share', 'sum'])
})
