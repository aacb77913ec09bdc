import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { SegmentedControl } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ExampleInput } from '#api/roles.ts'
import { supportsPart } from '#domain/access/permission.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconCheck } from '#web/ui/icons/general.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import {
  type AccessQuestion,
  EMPTY_QUESTION,
  FieldPicker,
  PERMISSION_OPTIONS,
  permissionOf,
  useExplanation,
  useWhoNameOf,
  useWhoOptions,
  whoOf,
} from '#web/features/roles/explain/access-question.tsx'
import { describeExplanation } from '#web/features/roles/explain/describe-explanation.ts'
import { SaveFailure } from '#web/features/roles/save-failure.tsx'
import { useGrantLabels, useKnownCollections } from '#web/features/roles/grants/use-grant-labels.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'

type ExampleDialogProps = {
  readonly isPending: boolean
  readonly error: unknown
  readonly onSave: (example: ExampleInput) => void
  readonly onClose: () => void
}

/** Evaluates an example while the user is editing it. */
export function ExampleDialog({ isPending, error, onSave, onClose }: ExampleDialogProps) {
  const [requested, setRequested] = useState<AccessQuestion>(EMPTY_QUESTION)
  const [may, setMay] = useState(false)
  const change = (part: Partial<AccessQuestion>) => setRequested((before) => ({ ...before, ...part }))
  const { data } = useExplanation(requested)
  const holds = data && (data.may !== 'no') === may
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (requested.who !== null && holds && !isPending) onSave(exampleOf(requested, requested.who, may))
  }
  return (
    <Dialog opened onClose={onClose} title={t('Add example')} size={520}>
      <form onSubmit={submit} className="grant-form">
        <ExampleSubject requested={requested} change={change} may={may} onMay={setMay} />
        <Dropdown
          label={t('What')}
          required
          options={PERMISSION_OPTIONS}
          value={requested.permission}
          onChange={(value) => value !== null && change({ permission: permissionOf(value) })}
        />
        <Place requested={requested} change={change} />
        <CurrentResult requested={requested} may={may} />
        <SaveFailure error={error} />
        <FormActions label={t('Add example')} isReady={holds === true} isBusy={isPending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

const exampleOf = ({ permission, collection, field }: AccessQuestion, who: string, may: boolean): ExampleInput => ({
  who: whoOf(who),
  may,
  permission,
  collection: isPerCollection(permission) ? collection : null,
  field: collection !== null && supportsPart(permission, 'fields') ? field : null,
  record: null,
})

type PartProps = { readonly requested: AccessQuestion; readonly change: (part: Partial<AccessQuestion>) => void }

type ExampleSubjectProps = PartProps & { readonly may: boolean; readonly onMay: (may: boolean) => void }

function ExampleSubject({ requested, change, may, onMay }: ExampleSubjectProps) {
  const options = useWhoOptions()
  return (
    <>
      <WithHelp setting="example">
        <Dropdown
          label={t('Who')}
          required
          searchable
          autoFocus
          placeholder={t('Select a person or role')}
          options={options}
          value={requested.who}
          onChange={(who) => change({ who })}
        />
      </WithHelp>
      <SegmentedControl
        aria-label={t('Can or can’t')}
        value={may ? 'yes' : 'no'}
        onChange={(next) => onMay(next === 'yes')}
        data={[
          { value: 'yes', label: t('can') },
          { value: 'no', label: t('can’t') },
        ]}
      />
    </>
  )
}

function Place({ requested, change }: PartProps) {
  const collections = useKnownCollections()
  const known = collections.find(({ id }) => id === requested.collection)
  if (!isPerCollection(requested.permission)) return null
  return (
    <>
      <Dropdown
        label={t('Where')}
        placeholder={t('All collections')}
        options={collections.map(({ id, label }) => ({ value: id, label }))}
        value={requested.collection}
        onChange={(collection) => change({ collection, field: null })}
      />
      <FieldPicker
        collection={known}
        requested={requested}
        placeholder={t('Any')}
        onField={(field) => change({ field })}
      />
    </>
  )
}

function CurrentResult({ requested, may }: { readonly requested: AccessQuestion; readonly may: boolean }) {
  const { data } = useExplanation(requested)
  const nameOf = useWhoNameOf()
  const { describeCondition: conditionWords } = useGrantLabels()(requested.collection)
  if (requested.who === null || !data) return null
  const holds = (data.may !== 'no') === may
  const isRole = 'role' in whoOf(requested.who)
  const { why } = describeExplanation(data, { who: nameOf(requested.who) ?? '', isRole, conditionWords })
  return (
    <div className="example-verdict" data-holds={holds} role="status">
      {holds ? <IconCheck size={18} stroke={1.75} aria-hidden /> : <IconX size={18} stroke={1.75} aria-hidden />}
      <p>
        {holds ? t('Currently passing.') : t('Currently failing. Change the permissions first.')} {why}
      </p>
    </div>
  )
}
