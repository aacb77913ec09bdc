import { ActionIcon, Radio, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { supportsPart } from '#domain/access/permission.ts'
import { type Field, hasSelectOptions } from '#domain/fields/field.ts'
import { EVERY_COLLECTION, policyFor } from '#web/features/roles/matrix/matrix.ts'
import { useRoleNameOf } from '#web/features/roles/role-paths.ts'
import { SaveFailure } from '#web/features/roles/save-failure.tsx'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { uiOf } from '#web/field-kinds/field-kinds.ts'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import { toClientValue, toWireValue } from '#web/shared/fields/client-value.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconTrash } from '#web/ui/icons/general.ts'
import { DisclosureNotice } from './disclosure-notice.tsx'
import type { GrantDraft } from './grant-draft.ts'
import { FieldScope, RecordScope } from './grant-scope.tsx'
import { type GrantFormProps, useGrantForm } from './use-grant-form.ts'

type DefaultValuesProps = {
  readonly draft: GrantDraft
  readonly change: (part: Partial<GrantDraft>) => void
  readonly collection: TypedCollection
}

function DefaultValues({ draft, change, collection }: DefaultValuesProps) {
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

function displayedDefault(field: Field, value: unknown, nameOf: (id: string) => string): unknown {
  if (field.kind === 'user') return toClientValue('user', value).map(({ id }) => ({ id, name: nameOf(id) }))
  if (!hasSelectOptions(field)) return value
  const choiceName = (id: unknown) => field.options.choices.find((choice) => choice.id === id)?.name ?? id
  return Array.isArray(value) ? value.map(choiceName) : choiceName(value)
}

export function GrantForm(props: GrantFormProps) {
  const { place, collection, onClose } = props
  const form = useGrantForm(props)
  const { draft, change, isHere } = form
  const around = isHere ? collection : EVERY_COLLECTION
  const hasFields = draft.records !== 'none' && around.id !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.canSave) form.save()
  }
  return (
    <form onSubmit={submit} className="grant-form">
      {form.isInherited && (
        <Scope label={collection.label} isHere={isHere} maySetApart={form.maySetApart} onChange={form.changeScope} />
      )}
      <RecordScope
        key={`${isHere}`}
        draft={draft}
        change={change}
        collection={around}
        permission={place.permission}
        onWhere={form.changeWhere}
      />
      {hasFields && supportsPart(place.permission, 'fields') && (
        <FieldScope draft={draft} change={change} collection={around} />
      )}
      {hasFields && supportsPart(place.permission, 'presets') && (
        <DefaultValues draft={draft} change={change} collection={around} />
      )}
      <Shared {...props} isAlone={form.isAlone} onAlone={form.setAlone} />
      <DisclosureNotice
        title={t('After this change, hidden values can be inferred')}
        grants={form.grantsThen}
        except={form.grantsNow}
      />
      <SaveFailure error={form.error} />
      <FormActions label={t('Save')} isReady={form.canSave} isBusy={form.isPending} onCancel={onClose} />
    </form>
  )
}

type ScopeProps = {
  readonly label: string
  readonly isHere: boolean
  readonly maySetApart: boolean
  readonly onChange: (isHere: boolean) => void
}

function Scope({ label, isHere, maySetApart, onChange }: ScopeProps) {
  if (!maySetApart) {
    return (
      <p className="grant-hint">
        {t(
          'Inherited from “All collections”, so changes apply to every collection. Only owners can override the permission for one collection.',
        )}
      </p>
    )
  }
  return (
    <WithHelp setting="grant-scope">
      <OptionSet legend={t('Inherited from “All collections”. Apply change to')}>
        <Radio
          name="scope"
          label={t('Only {label}', { label })}
          description={t('All other existing collections keep this permission. New collections don’t get it.')}
          checked={isHere}
          onChange={() => onChange(true)}
        />
        <Radio name="scope" label={t('All collections')} checked={!isHere} onChange={() => onChange(false)} />
      </OptionSet>
    </WithHelp>
  )
}

type SharedProps = Pick<GrantFormProps, 'subject' | 'source'> & {
  readonly isAlone: boolean
  readonly onAlone: (isAlone: boolean) => void
}

/** Lists other roles that the change affects, and offers to exclude them. */
function Shared({ subject, source, isAlone, onAlone }: SharedProps) {
  const nameOf = useRoleNameOf()
  const { role } = subject
  if (role === undefined) return null
  if (source === undefined) {
    const home = policyFor(subject)
    return (
      <p className="grant-hint">
        {home
          ? t('Adds this permission to “{name}”.', { name: home.name })
          : t('Creates a policy used only by this role.')}
      </p>
    )
  }
  const others = source.policy.roles.filter((id) => id !== role.id)
  if (others.length === 0) return null
  return (
    <div className="grant-part">
      <p className="grant-hint">
        {isAlone
          ? t('{others} will keep “{policy}” unchanged. {role} gets its own copy.', {
              others: listText(others.map(nameOf)),
              policy: source.policy.name,
              role: role.name,
            })
          : t('“{policy}” is also used by {others}. This change affects them too.', {
              policy: source.policy.name,
              others: listText(others.map(nameOf)),
            })}
      </p>
      <WithHelp setting="grant-alone">
        <Switch
          label={t('Only for {name}', { name: role.name })}
          checked={isAlone}
          onChange={({ currentTarget }) => onAlone(currentTarget.checked)}
        />
      </WithHelp>
    </div>
  )
}
