import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import {
  layoutDraft,
  savedLayout,
  sectionLines,
  shownSections,
  withLine,
  withoutSection,
  withSection,
} from './layout-draft.ts'

const field = (name: string, kind: 'text' | 'number' | 'rich-text' = 'number'): Field => ({
  id: name.toUpperCase(),
  name,
  label: name,
  kind,
  required: false,
  unique: false,
  default: null,
  options: {},
})

const ships: TypedCollection = {
  id: 'ships',
  name: 'ships',
  label: 'Ships',
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: [],
  fields: [field('title', 'text'), field('notes', 'rich-text'), field('length'), field('width')],
}

const laidOut: TypedCollection = {
  ...ships,
  layout: {
    sections: [
      { title: '', fieldsPerLine: 2, fields: ['width'] },
      { title: 'More', fieldsPerLine: 1, fields: ['notes'] },
    ],
    hiddenWhenEmpty: ['notes'],
  },
}

test('a new layout starts with the default arrangement, without the title', () => {
  expect(savedLayout(layoutDraft(ships))).toEqual({
    sections: [{ title: '', fieldsPerLine: 1, fields: ['LENGTH', 'WIDTH', 'NOTES'] }],
    hiddenWhenEmpty: [],
  })
})

test('a saved layout is edited as it is shown, with new fields at the end', () => {
  expect(savedLayout(layoutDraft(laidOut))).toEqual({
    sections: [
      { title: '', fieldsPerLine: 2, fields: ['WIDTH'] },
      { title: 'More', fieldsPerLine: 1, fields: ['NOTES', 'LENGTH'] },
    ],
    hiddenWhenEmpty: ['NOTES'],
  })
})

test('the fields of a removed section belong to the previous one', () => {
  const draft = layoutDraft(laidOut)
  const [, more] = sectionLines(draft)
  expect(more && savedLayout(withoutSection(draft, more)).sections).toEqual([
    { title: '', fieldsPerLine: 2, fields: ['WIDTH', 'NOTES', 'LENGTH'] },
  ])
})

test('an added section is shown as soon as it has a field', () => {
  const draft = withSection(layoutDraft(laidOut))
  expect(shownSections(draft)).toHaveLength(2)
  const added = sectionLines(draft).at(-1)
  const [first, ...others] = draft.filter((line) => line !== added)
  const moved = added && first ? [first, added, ...others] : []
  expect(shownSections(moved).map(({ title, fields }) => [title, fields.map(({ name }) => name)])).toEqual([
    ['', ['width']],
    ['More', ['notes', 'length']],
  ])
})

test('a line is changed without moving it', () => {
  const draft = layoutDraft(laidOut)
  const [first] = sectionLines(draft)
  const changed = first ? withLine(draft, { ...first, title: 'Size' }) : []
  expect(shownSections(changed).map(({ title }) => title)).toEqual(['Size', 'More'])
})
