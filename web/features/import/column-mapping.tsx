import { Checkbox, TextInput } from '@mantine/core'
import type { CollectionBody } from '#api/collections.ts'
import type { ImportPreview } from '#api/imports.ts'
import { FIELD_KINDS } from '#domain/fields/field.ts'
import { isImportable } from '#domain/imports/map-columns.ts'
import { listText } from '#web/i18n/locale.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import { Select } from '#web/ui/dropdown/select.tsx'
import { plural, t } from '#web/i18n/t.ts'
import {
  columnName,
  type ColumnPlan,
  type ImportPlan,
  isNewFieldKind,
  withColumn,
} from '#web/features/import/import-plan.ts'
import { FormatSelect, type SampleOf, textAsRead } from './column-format.tsx'
import './column-mapping.css'

type ColumnMappingProps = {
  readonly preview: ImportPreview
  readonly plan: ImportPlan
  /** The target collection; undefined if a new one is created. */
  readonly into: CollectionBody | undefined
  readonly onPlan: (plan: ImportPlan) => void
}

export function ColumnMapping({ preview, plan, into, onPlan }: ColumnMappingProps) {
  return (
    <table className="plan-columns">
      <caption className="visually-hidden">{t('File columns')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('File column')}</th>
          <th scope="col">{into ? t('Import to') : t('Field')}</th>
          <th scope="col">{t('Field type')}</th>
        </tr>
      </thead>
      <tbody>
        {preview.columns.map((found, at) => {
          const column = plan.columns[at]
          if (!column) return null
          return (
            <ColumnRow
              // The key is the index, because headers can repeat.
              key={at}
              found={found}
              name={columnName(preview, at, plan.hasHeader)}
              column={column}
              into={into}
              onChange={(part) => onPlan(withColumn(plan, at, part))}
            />
          )
        })}
      </tbody>
    </table>
  )
}

type ColumnRowProps = {
  readonly found: ImportPreview['columns'][number]
  readonly name: string
  readonly column: ColumnPlan
  readonly into: CollectionBody | undefined
  readonly onChange: (part: Partial<ColumnPlan>) => void
}

function ColumnRow({ found, name, column, into, onChange }: ColumnRowProps) {
  const isTaken = column.target !== 'skip'
  return (
    <tr data-skipped={!isTaken || undefined}>
      <th scope="row">
        <Checkbox
          checked={isTaken}
          aria-label={t('Import {name}', { name })}
          onChange={() => onChange(isTaken ? { target: 'skip', field: '' } : { target: 'new' })}
        />
        <div className="plan-column-found">
          <strong>{name}</strong>
          <span>{describeSamples({ found, column, into })}</span>
          <AppliedFixes column={column} onChange={onChange} />
        </div>
      </th>
      <td>
        {into ? (
          <TargetFieldSelect name={name} column={column} into={into} onChange={onChange} />
        ) : (
          <NewFieldName name={name} column={column} onChange={onChange} />
        )}
      </td>
      <td>
        {column.target === 'field' ? (
          <FieldKindOf column={column} into={into} />
        ) : (
          <FieldKindSelect name={name} found={found} column={column} onChange={onChange} />
        )}
        <FormatSelect name={name} column={column} into={into} onChange={onChange} />
      </td>
    </tr>
  )
}

/** Sample texts from the file, with their parsed values if different. */
function describeSamples(sample: SampleOf): string {
  const different = [...new Set(sample.found.samples.filter((text) => text.trim() !== ''))]
  if (different.length === 0) return t('Empty in all previewed rows')
  return different
    .slice(0, 3)
    .map((text) => {
      const read = sample.column.target === 'skip' ? undefined : textAsRead(text, sample)
      return read === undefined || read === text ? text : t('{text} → {read}', { text, read })
    })
    .join(' · ')
}

/** Shows the applied fixes; they are reverted together, because there may be many. */
function AppliedFixes({ column, onChange }: Pick<PartProps, 'column' | 'onChange'>) {
  const { replace, emptyUnreadable } = column
  if (replace.length === 0 && !emptyUnreadable) return null
  const parts = [
    ...(replace.length > 0 ? [plural(replace.length, '{n} value replaced', '{n} values replaced')] : []),
    ...(emptyUnreadable ? [t('Unreadable values are left empty')] : []),
  ]
  return (
    <p className="plan-column-fixes">
      {listText(parts)}
      <button type="button" onClick={() => onChange({ replace: [], emptyUnreadable: false })}>
        {t('Undo')}
      </button>
    </p>
  )
}

type PartProps = Pick<ColumnRowProps, 'name' | 'column' | 'onChange'>

function NewFieldName({ name, column, onChange }: PartProps) {
  return (
    <TextInput
      aria-label={t('Field name for {name}', { name })}
      value={column.label}
      maxLength={120}
      disabled={column.target === 'skip'}
      onChange={(event) => onChange({ label: event.currentTarget.value })}
    />
  )
}

const SKIP = '-skip'
const NEW = '-new'

function TargetFieldSelect({ name, column, into, onChange }: PartProps & { readonly into: CollectionBody }) {
  const mayAdd = into.can.includes('collections:manage')
  const fields = into.fields.filter(({ kind }) => isImportable(kind))
  const value = { skip: SKIP, new: NEW, field: column.field }[column.target]

  function choose(chosen: string | null) {
    if (chosen === NEW) onChange({ target: 'new', field: '' })
    else if (chosen === null || chosen === SKIP) onChange({ target: 'skip', field: '' })
    else onChange({ target: 'field', field: chosen })
  }

  return (
    <Select
      aria-label={t('Target for {name}', { name })}
      searchable
      data={[
        { value: SKIP, label: t('Skip') },
        ...(mayAdd ? [{ value: NEW, label: t('New field “{label}”', { label: column.label }) }] : []),
        ...fields.map((field) => ({ value: field.name, label: field.label })),
      ]}
      value={value}
      onChange={choose}
    />
  )
}

function FieldKindOf({ column, into }: { readonly column: ColumnPlan; readonly into: CollectionBody | undefined }) {
  const field = into?.fields.find(({ name }) => name === column.field)
  return <span className="plan-column-kind">{field ? KIND_TRAITS[field.kind].label : ''}</span>
}

function FieldKindSelect({ name, found, column, onChange }: PartProps & Pick<ColumnRowProps, 'found'>) {
  const kinds = FIELD_KINDS.filter((kind) => kind === found.kind || isNewFieldKind(kind))
  return (
    <Select
      aria-label={t('Field type of {name}', { name })}
      data={kinds.map((kind) => ({ value: kind, label: KIND_TRAITS[kind].label }))}
      value={column.kind}
      disabled={column.target === 'skip'}
      onChange={(kind) => {
        const chosen = kinds.find((one) => one === kind)
        if (chosen) onChange({ kind: chosen })
      }}
    />
  )
}
