import { nameFromLabel } from '#domain/collections/names.ts'
import type { Template, TemplateCollection, TemplateField, TemplateRecord, TemplateValue } from './template.ts'

/** A text of a template in another language; what is not known there stays as it is. */
export type Translate = (text: string) => string

/**
 * A template as people of another language read it: labels, choices, sentences and examples. The names by which filters
 * and programs call its fields stay, so that one description of a template serves every language.
 */
export const translateTemplate = (template: Template, translate: Translate): Template => ({
  ...template,
  label: translate(template.label),
  purpose: translate(template.purpose),
  collections: template.collections.map((collection) => translateCollection(collection, translate)),
})

/** Choices stand in a filter by their names, in quotes; everything else in it is names of fields and signs. */
const translateFilter = (filter: string, translate: Translate): string =>
  filter.replaceAll(/"([^"]*)"/g, (_, text: string) => `"${translate(text)}"`)

function translateCollection(collection: TemplateCollection, translate: Translate): TemplateCollection {
  const { fields, transitions, states, rules, views, records } = collection
  const translatedFilter = (filter: string) => translateFilter(filter, translate)
  return {
    ...collection,
    label: translate(collection.label),
    fields: translateFields(fields, translate),
    ...(transitions && {
      transitions: transitions.map((transition) => ({
        ...transition,
        name: translate(transition.name),
        from: translate(transition.from),
        to: translate(transition.to),
      })),
    }),
    ...(states && {
      states: Object.fromEntries(Object.entries(states).map(([state, rules]) => [translate(state), rules])),
    }),
    ...(rules && {
      rules: rules.map(({ when, then, message, ...rule }) => ({
        ...rule,
        ...(when !== undefined && { when: translatedFilter(when) }),
        then: translatedFilter(then),
        message: translate(message),
      })),
    }),
    views: views.map(({ name, filter, colors, ...view }) => ({
      ...view,
      name: translate(name),
      ...(filter !== undefined && { filter: translatedFilter(filter) }),
      ...(colors && { colors: colors.map((color) => ({ ...color, filter: translatedFilter(color.filter) })) }),
    })),
    records: records.map((record) => translateRecord(record, translate)),
  }
}

function translateFields(fields: readonly TemplateField[], translate: Translate): TemplateField[] {
  const taken = new Set<string>()
  return fields.map((field) => {
    const name = field.name ?? nameFromLabel(field.label, taken)
    taken.add(name)
    const choices = field.options?.choices?.map((choice) => ({ ...choice, name: translate(choice.name) }))
    return {
      ...field,
      name,
      label: translate(field.label),
      ...(field.options && { options: { ...field.options, ...(choices && { choices }) } }),
      ...(typeof field.default === 'string' && { default: translate(field.default) }),
    }
  })
}

const translateRecord = (record: TemplateRecord, translate: Translate): TemplateRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, translateValue(value, translate)]))

function translateValue(value: TemplateValue, translate: Translate): TemplateValue {
  if (typeof value === 'string') return translate(value)
  return Array.isArray(value) ? value.map((one: string) => translate(one)) : value
}
