import type { FieldDraft } from './check-field.ts'
import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import type { OptionColor } from '../fields/field.ts'
import type { NoteRequirement } from '../workflow/workflow.ts'
import { nameFromLabel } from '#domain/collections/names.ts'

/** A field of a template; what it does not say is as in a field that is made by hand. */
export type TemplateField = Pick<FieldDraft, 'label' | 'kind'> & Partial<FieldDraft>

/** A move between two states, by their names. */
export type TemplateTransition = {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly note?: NoteRequirement
}

/** What a state asks, fields by their names. */
export type TemplateState = {
  readonly requiredToLeave?: readonly string[]
  readonly frozen?: 'all' | readonly string[]
}

/** What must hold in the records, as texts of the filter language. */
export type TemplateRule = {
  readonly when?: string
  readonly then: string
  readonly message: string
  readonly field?: string
}

/** A shared view; what it does not say is as in the plain list. */
export type TemplateView = {
  readonly name: string
  readonly filter?: string
  readonly sort?: string
  readonly group?: string
  readonly hidden?: readonly string[]
  readonly footers?: { readonly [field: string]: string }
  readonly colors?: readonly { readonly filter: string; readonly color: OptionColor; readonly field?: string }[]
}

/** A value of an example; days are counted from today, so that an example is never out of date. */
export type TemplateValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly inDays: number }
  | { readonly person: 'me' }

/** An example: values by the names of fields, choices by their names, records pointed at by their titles. */
export type TemplateRecord = { readonly [field: string]: TemplateValue }

/** One collection of a template, under the name by which the others point at it. */
export type TemplateCollection = Pick<CollectionAppearance, 'icon' | 'color'> & {
  readonly name: string
  readonly label: string
  readonly titleField: string
  readonly fields: readonly TemplateField[]
  readonly transitions?: readonly TemplateTransition[]
  readonly states?: { readonly [state: string]: TemplateState }
  readonly rules?: readonly TemplateRule[]
  /** The first opens first for whoever uses the template. */
  readonly views: readonly TemplateView[]
  readonly records: readonly TemplateRecord[]
}

/** A ready-made beginning: collections that work together. */
export type Template = {
  readonly id: string
  readonly label: string
  /** For whom it is and what one can do with it, in one sentence. */
  readonly purpose: string
  /** Those that are pointed at before those that point; the last one is what it is about, and opens. */
  readonly collections: readonly TemplateCollection[]
}

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
