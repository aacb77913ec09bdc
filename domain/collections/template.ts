import type { FieldDraft } from './check-field.ts'
import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import type { OptionColor } from '../fields/field.ts'
import type { ViewKind } from '../views/view-kinds.ts'
import type { NoteRequirement } from '../workflow/workflow.ts'
import { nameFromLabel } from '#domain/collections/names.ts'

/** Absent properties use the defaults of a new field. */
export type TemplateField = Pick<FieldDraft, 'label' | 'kind'> & Partial<FieldDraft>

export type TemplateTransition = {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly note?: NoteRequirement
}

/** Refers to fields by name. */
export type TemplateState = {
  readonly requiredToLeave?: readonly string[]
  readonly frozen?: 'all' | readonly string[]
}

/** Conditions are filter text. */
export type TemplateRule = {
  readonly when?: string
  readonly then: string
  readonly message: string
  readonly field?: string
}

/** Shared view; absent properties use the defaults of the base view. */
export type TemplateView = {
  readonly name: string
  readonly filter?: string
  readonly sort?: string
  readonly group?: string
  readonly hidden?: readonly string[]
  readonly footers?: { readonly [field: string]: string }
  readonly colors?: readonly { readonly filter: string; readonly color: OptionColor; readonly field?: string }[]
  readonly display?: { readonly kind: ViewKind; readonly options: { readonly [option: string]: string } }
}

/** `inDays` is relative to today, so that example dates stay current; `at` is a time of day in the workspace’s time zone. */
export type TemplateValue =
  | string
  | number
  | boolean
  | readonly string[]
  | { readonly inDays: number; readonly at?: string }
  | { readonly person: 'me' }

/** Values by field name; options as names and linked records as titles. */
export type TemplateRecord = { readonly [field: string]: TemplateValue }

/** Other collections in the template refer to a collection by `name`. */
export type TemplateCollection = Pick<CollectionAppearance, 'icon' | 'color' | 'description'> & {
  readonly name: string
  readonly label: string
  readonly titleField: string
  readonly fields: readonly TemplateField[]
  readonly transitions?: readonly TemplateTransition[]
  readonly states?: { readonly [state: string]: TemplateState }
  readonly rules?: readonly TemplateRule[]
  /** The first view opens after the template is applied. */
  readonly views: readonly TemplateView[]
  readonly records: readonly TemplateRecord[]
}

export type Template = {
  readonly id: string
  readonly label: string
  /** One sentence that says who the template is for and what it does. */
  readonly purpose: string
  /** Alternative names, used in search. */
  readonly alsoCalled: string
  /**
   * Linked collections come before the collections that link to them; the last one opens after the template is applied.
   */
  readonly collections: readonly TemplateCollection[]
}

/** Returns texts without a translation unchanged. */
export type Translate = (text: string) => string

/**
 * Translates labels, options, messages and examples. Field names are not translated, so filters work in every language.
 */
export const translateTemplate = (template: Template, translate: Translate): Template => ({
  ...template,
  label: translate(template.label),
  purpose: translate(template.purpose),
  alsoCalled: translate(template.alsoCalled),
  collections: template.collections.map((collection) => translateCollection(collection, translate)),
})

/**
 * Only quoted strings in template filters are translated, because only these are option names; the rest are field names
 * and operators.
 */
const translateFilter = (filter: string, translate: Translate): string =>
  filter.replaceAll(/"([^"]*)"/g, (_, text: string) => `"${translate(text)}"`)

function translateCollection(collection: TemplateCollection, translate: Translate): TemplateCollection {
  const { fields, transitions, states, rules, views, records } = collection
  const translatedFilter = (filter: string) => translateFilter(filter, translate)
  return {
    ...collection,
    label: translate(collection.label),
    ...(collection.description !== undefined && { description: translate(collection.description) }),
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
      ...(field.description !== undefined && { description: translate(field.description) }),
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
