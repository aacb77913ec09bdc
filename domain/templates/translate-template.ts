import { nameFromLabel } from '#domain/collections/names.ts'
import type { Template, TemplateCollection, TemplateField, TemplateRecord, TemplateValue } from './template.ts'

/** A text of a template in another language; what is not known there stays as it is. */
export type Translate = (text: string) => string

/**
 * A template as people of another language read it: labels, choices, sentences and examples. The names by which filters
 * and programs call its fields stay, so that one description of a template serves every language.
 */
export const translateTemplate = (template: Template, inWords: Translate): Template => ({
  ...template,
  label: inWords(template.label),
  purpose: inWords(template.purpose),
  collections: template.collections.map((collection) => translateCollection(collection, inWords)),
})

/** Choices stand in a filter by their names, in quotes; everything else in it is names of fields and signs. */
const translateFilter = (filter: string, inWords: Translate): string =>
  filter.replaceAll(/"([^"]*)"/g, (_, text: string) => `"${inWords(text)}"`)

function translateCollection(collection: TemplateCollection, inWords: Translate): TemplateCollection {
  const { fields, moves, states, rules, views, records } = collection
  const said = (filter: string) => translateFilter(filter, inWords)
  return {
    ...collection,
    label: inWords(collection.label),
    fields: translateFields(fields, inWords),
    ...(moves && {
      moves: moves.map((move) => ({
        ...move,
        name: inWords(move.name),
        from: inWords(move.from),
        to: inWords(move.to),
      })),
    }),
    ...(states && {
      states: Object.fromEntries(Object.entries(states).map(([state, asks]) => [inWords(state), asks])),
    }),
    ...(rules && {
      rules: rules.map(({ when, then, message, ...rule }) => ({
        ...rule,
        ...(when !== undefined && { when: said(when) }),
        then: said(then),
        message: inWords(message),
      })),
    }),
    views: views.map(({ name, filter, colors, ...view }) => ({
      ...view,
      name: inWords(name),
      ...(filter !== undefined && { filter: said(filter) }),
      ...(colors && { colors: colors.map((color) => ({ ...color, filter: said(color.filter) })) }),
    })),
    records: records.map((record) => translateRecord(record, inWords)),
  }
}

function translateFields(fields: readonly TemplateField[], inWords: Translate): TemplateField[] {
  const taken = new Set<string>()
  return fields.map((field) => {
    const name = field.name ?? nameFromLabel(field.label, taken)
    taken.add(name)
    const choices = field.options?.choices?.map((choice) => ({ ...choice, name: inWords(choice.name) }))
    return {
      ...field,
      name,
      label: inWords(field.label),
      ...(field.options && { options: { ...field.options, ...(choices && { choices }) } }),
      ...(typeof field.default === 'string' && { default: inWords(field.default) }),
    }
  })
}

const translateRecord = (record: TemplateRecord, inWords: Translate): TemplateRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, translateValue(value, inWords)]))

function translateValue(value: TemplateValue, inWords: Translate): TemplateValue {
  if (typeof value === 'string') return inWords(value)
  return Array.isArray(value) ? value.map((one: string) => inWords(one)) : value
}
