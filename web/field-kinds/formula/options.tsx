import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { previewFormula } from '#api/collections.ts'
import { type Field, linkedCollection } from '#domain/fields/field.ts'
import { checkDefaultFormula } from '#domain/formulas/default-formulas.ts'
import { checkFormulaField, fieldsAlong, type FormulaContext } from '#domain/formulas/formula-fields.ts'
import { resultField } from '#domain/formulas/value-field.ts'
import { formulaContext } from '#domain/rollups/linked-values.ts'
import { call } from '#web/data/api/call.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import type { FieldPlace, OptionsProps } from '#web/field-kinds/field-kind.ts'
import { t } from '#web/i18n/t.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import { definitionOf, type FindCollection } from '#web/shared/conditions/path-fields.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FormulaEditor } from './formula-editor.tsx'
import { formulaText } from './formula-text.ts'

type EditorProps = OptionsProps<'formula'> & { readonly place: FieldPlace }

/** A field with this formula, as it would be stored. */
function fieldWith({ collection, field }: FieldPlace, options: Field<'formula'>['options']): Field<'formula'> {
  const stored = collection.fields.find(({ id }) => id === field)
  const { name, label } = stored ?? { name: field, label: t('This field') }
  return { id: field, name, label, kind: 'formula', required: false, unique: false, default: null, options }
}

export function FormulaOptionsForm(props: OptionsProps<'formula'>) {
  const { place, isStored } = props
  if (place === undefined) return null
  const stored = place.collection.fields.find(({ id }) => id === place.field)
  const isHidden = isStored && stored?.kind === 'formula' && stored.options.formula === ''
  return isHidden ? (
    <p>{t('You can’t see this formula, because it uses fields you can’t read.')}</p>
  ) : (
    <FormulaFieldEditor {...props} place={place} />
  )
}

/** What the formula can refer to. The server checks it again. */
function contextOf({ collection, field }: FieldPlace, find: FindCollection): FormulaContext {
  let count = 0
  const definition = definitionOf(collection)
  const siblings = collection.fields.filter((each) => each.id !== field)
  return formulaContext(
    {
      collection: definition,
      collectionOf: (id) => {
        const found = find(id)
        return found && definitionOf(found)
      },
      timeZone: 'UTC',
      reads: () => true,
      newId: () => `linked-${(count += 1)}`,
    },
    { siblings, isVisible: () => true },
  )
}

function FormulaFieldEditor({ options, onChange, errorAt, place }: EditorProps) {
  const find = useFindCollection()
  const context = useMemo(() => contextOf(place, find), [place, find])
  const field = fieldWith(place, options)
  const checked = checkFormulaField(options.formula, field, context)
  const change = (formula: string) => {
    const next = checkFormulaField(formula, field, context)
    onChange({ formula, result: next.ok ? next.value.result : options.result })
  }
  return (
    <FormulaEditor
      label={t('Formula')}
      setting="field-formula"
      isRequired
      value={options.formula}
      onChange={change}
      error={errorAt('options.formula')}
      fault={checked.ok || options.formula.trim() === '' ? undefined : checked.fault}
      fields={context.siblings}
      linkedFields={(path) => linkedFields(path, context)}
    >
      {checked.ok && <Preview place={place} field={{ ...field, options: checked.value }} />}
    </FormulaEditor>
  )
}

/** The fields of the records to which a path leads. */
function linkedFields(path: readonly string[], { siblings, collectionOf }: FormulaContext): readonly Field[] {
  const last = fieldsAlong(path, { fields: siblings }, collectionOf)?.at(-1)
  const into = last && linkedCollection(last)
  return (into !== undefined && collectionOf(into)?.fields) || []
}

const PREVIEW_DELAY_MS = 300

function Preview({ place, field }: { readonly place: FieldPlace; readonly field: Field<'formula'> }) {
  const [formula] = useDebouncedValue(field.options.formula, PREVIEW_DELAY_MS)
  const { data, error } = useQuery({
    queryKey: queryKeys.recordList(place.collection.name, { preview: [place.field, formula] }),
    queryFn: ({ signal }) =>
      call(previewFormula, {
        params: { collection: place.collection.name },
        body: { formula, ...(place.field !== '' && { field: place.field }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const fault = partMessage(error, 'options.formula') ?? partMessage(error, 'options') ?? partMessage(error, 'fields')
  if (fault !== undefined) return <p className="formula-fault">{fault}</p>
  const { label } = KIND_TRAITS[resultField(field).kind]
  if (!data?.hasRecord) return <p>{t('Result: {type}', { type: label })}</p>
  const text = formulaText(field, data.value)
  return (
    <p>
      {t('Result: {type}', { type: label })}
      {' · '}
      {t('In the first record: {value}', { value: text === '' ? t('empty') : text })}
    </p>
  )
}

export type DefaultFormulaProps = {
  readonly collection: TypedCollection
  /** The field as it would be stored. */
  readonly field: Field
  readonly value: string
  readonly onChange: (formula: string) => void
  readonly error: string | undefined
}

/** The formula that calculates the default values of a field. */
export function DefaultFormula({ collection, field, value, onChange, error }: DefaultFormulaProps) {
  const siblings = collection.fields.filter(({ id }) => id !== field.id)
  const checked = checkDefaultFormula(value, field, siblings, () => true)
  return (
    <FormulaEditor
      label={t('Default value')}
      setting="field-default"
      value={value}
      onChange={onChange}
      error={error}
      fault={checked.ok || value.trim() === '' ? undefined : checked.fault}
      fields={siblings}
    />
  )
}
