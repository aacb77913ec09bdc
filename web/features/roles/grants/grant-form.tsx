import { Radio, Switch } from '@mantine/core'
import type { FormEvent } from 'react'
import { supportsPart } from '#domain/access/permission.ts'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { listText } from '#web/i18n/locale.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { DisclosureNotice } from './disclosure-notice.tsx'
import { FieldScope, RecordScope } from './grant-scope.tsx'
import { EVERY_COLLECTION } from '#web/features/roles/matrix/matrix.ts'
import { DefaultValues } from './default-values.tsx'
import { SaveFailure } from '#web/features/roles/save-failure.tsx'
import { type GrantFormProps, policyFor, useGrantForm } from './use-grant-form.ts'
import { useRoleNameOf } from '#web/features/roles/role-paths.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'

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

/** A grant for all collections can be changed for all or for one. */
function Scope({ label, isHere, maySetApart, onChange }: ScopeProps) {
  if (!maySetApart) {
    return (
      <p className="grant-hint">
        {t(
          'Inherited from “All collections”; a change applies to all of them. Only owners can override it for one collection.',
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

/** Names other affected roles and offers to exclude them. */
function Shared({ subject, source, isAlone, onAlone }: SharedProps) {
  const nameOf = useRoleNameOf()
  const { role } = subject
  if (role === undefined) return null
  if (source === undefined) {
    const home = policyFor(subject)
    return (
      <p className="grant-hint">
        {home ? t('Will be added to “{name}”.', { name: home.name }) : t('Creates a policy used only by this role.')}
      </p>
    )
  }
  const others = source.policy.roles.filter((id) => id !== role.id)
  if (others.length === 0) return null
  return (
    <div className="grant-part">
      <p className="grant-hint">
        {isAlone
          ? t('{others} will keep “{policy}” as it is. {role} gets its own copy.', {
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
