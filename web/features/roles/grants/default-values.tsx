import { ActionIcon, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { uiOf } from '#web/field-kinds/field-kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { toClientValue, toWireValue } from '#web/shared/fields/client-value.ts'
import { peopleQuery } from '#web/shared/lookups/people-query.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconTrash } from '#web/ui/icons/later.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import type { GrantDraft } from './grant-draft.ts'

type DefaultValuesProps = {
  readonly draft: GrantDraft
  readonly change: (part: Partial<GrantDraft>) => void
  readonly collection: TypedCollection
}

export function DefaultValues({ draft, change, collection }: DefaultValuesProps) {
  const { presets } = draft
  const isChosen = ({ id }: Field) => id in presets
  const open = collection.fields.filter((field) => !isChosen(field) && uiOf(field).canBePreset)
  const put = (field: string, value: unknown) => change({ presets: { ...presets, [field]: value } })
  const remove = (field: string) =>
    change({ presets: Object.fromEntries(Object.entries(presets).filter(([id]) => id !== field)) })
  return (
    <div className="grant-part">
      <h3>{t('Default values for new records')}</h3>
      {collection.fields.filter(isChosen).map((field) => (
        <DefaultValue
          key={field.id}
          field={field}
          collection={collection}
          value={presets[field.id]}
          onChange={(value) => put(field.id, value)}
          onRemove={() => remove(field.id)}
        />
      ))}
      {open.length > 0 && (
        <WithHelp setting="grant-presets">
          <Dropdown
            ariaLabel={t('Add another default value')}
            placeholder={t('Add a default value')}
            options={open.map(({ id, label }) => ({ value: id, label }))}
            value={null}
            onChange={(field) => field !== null && put(field, initialDefault(collection.fields, field))}
          />
        </WithHelp>
      )}
    </div>
  )
}

function initialDefault(fields: readonly Field[], id: string): unknown {
  const field = fields.find((each) => each.id === id)
  const own = field && uiOf(field).presetMarker
  return own ? { marker: own.marker } : null
}

const isMarker = (value: unknown): boolean => typeof value === 'object' && value !== null && 'marker' in value

type DefaultValueProps = {
  readonly field: Field
  readonly collection: TypedCollection
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly onRemove: () => void
}

function DefaultValue({ field, collection, value, onChange, onRemove }: DefaultValueProps) {
  const { data: people } = useQuery({ ...peopleQuery, enabled: field.kind === 'user' })
  const own = uiOf(field).presetMarker
  const isOwn = isMarker(value)
  return (
    <div className="grant-preset">
      <div>
        {own && (
          <Switch
            label={`${field.label}: ${own.label}`}
            checked={isOwn}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? { marker: own.marker } : null)}
          />
        )}
        {!isOwn && (
          <FieldInput
            field={{ ...field, required: false }}
            value={displayedDefault(field, value, (id) => people?.find((person) => person.id === id)?.name ?? '')}
            onChange={(next) => onChange(toWireValue(field, next))}
            place={{ collection: collection.id }}
          />
        )}
      </div>
      <ActionIcon aria-label={t('Remove default value for {label}', { label: field.label })} onClick={onRemove}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}

/** Options by name, people by theirs. */
function displayedDefault(field: Field, value: unknown, nameOf: (id: string) => string): unknown {
  if (field.kind === 'user') return toClientValue('user', value).map(({ id }) => ({ id, name: nameOf(id) }))
  if (!hasSelectOptions(field)) return value
  const choiceName = (id: unknown) => field.options.choices.find((choice) => choice.id === id)?.name ?? id
  return Array.isArray(value) ? value.map(choiceName) : choiceName(value)
}
