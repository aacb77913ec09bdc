import type { ExampleInput, PolicyBody } from '#api/roles.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { t } from '#web/i18n/t.ts'
import { policyPath, rolePath, useRoleNameOf } from './role-paths.ts'
import { SubjectMatrix } from './matrix/subject-matrix.tsx'
import './roles.css'
import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { accessSentence } from '#domain/access/describe-grant.ts'
import { IconAlertTriangle } from '#web/ui/icons/start.ts'
import { IconCheck, IconTrash } from '#web/ui/icons/general.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { ExampleDialog } from './example-dialog.tsx'
import { inputOfExample } from '#web/features/roles/grants/grant-draft.ts'
import { useChangePolicy } from '#web/features/roles/roles-queries.ts'
import { useKnownCollections } from '#web/features/roles/grants/use-grant-labels.ts'
import { useWhoNameOf, whoValue } from '#web/features/roles/explain/access-question.tsx'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

/** Grants saved before conditions were validated may contain an invalid condition, which matches no records. */
function GrantErrors({ policy: { grants } }: { readonly policy: PolicyBody }) {
  const faults = [...new Set(grants.flatMap(({ fault }) => fault ?? []))]
  if (faults.length === 0) return null
  return (
    <Notice
      title={t('A condition in this policy matches no records. Edit the condition, then save.')}
      detail={faults.map((fault) => <p key={fault}>{fault}</p>)}
    />
  )
}

type PolicyViewProps = { readonly policy: PolicyBody; readonly policies: readonly PolicyBody[] }

export function PolicyView({ policy, policies }: PolicyViewProps) {
  const nameOf = useRoleNameOf()
  return (
    <>
      <section className="roles-section" aria-labelledby="matrix-title">
        <div className="roles-head">
          <div>
            <h2 id="matrix-title">{t('Permissions')}</h2>
            <p>{t('Select a cell to edit it. A role can have more permissions through other policies.')}</p>
          </div>
        </div>
        <GrantErrors policy={policy} />
        <SubjectMatrix
          subject={{ who: t('Anyone with this policy'), role: undefined, policies: [policy] }}
          allPolicies={policies}
          page={policyPath(policy.id)}
        />
      </section>
      <ExamplesSection policy={policy} />
      <section className="roles-section" aria-labelledby="roles-title">
        <h2 id="roles-title">{t('Roles with this policy')}</h2>
        {policy.roles.length === 0 ? (
          <p className="grant-hint">{t('None yet. Add this policy on a role’s page.')}</p>
        ) : (
          <ul className="roles-holders">
            {policy.roles.map((role) => (
              <li key={role}>
                <AppLink href={rolePath(role)} className="roles-link">
                  {nameOf(role)}
                </AppLink>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

type Example = PolicyBody['examples'][number]

const notifyFailed = notifyFailure(t('Couldn’t update the examples'))

/** Access changes that would break a saved example are rejected. */
function ExamplesSection({ policy }: { readonly policy: PolicyBody }) {
  const [isAdding, setAdding] = useState(false)
  const { mutate, isPending, error, reset } = useChangePolicy()
  const { id, version, examples } = policy
  const put = (next: readonly ExampleInput[], at: number, onSuccess: (saved: PolicyBody) => void) =>
    mutate({ policy: id, body: { examples: [...next], version: at } }, { onSuccess })

  const remove = (example: Example) => {
    const kept = examples.filter((each) => each.id !== example.id).map(inputOfExample)
    const putBack = (saved: PolicyBody) =>
      mutate(
        { policy: id, body: { examples: examples.map(inputOfExample), version: saved.version } },
        { onError: notifyFailed },
      )
    mutate(
      { policy: id, body: { examples: kept, version } },
      {
        onSuccess: (saved) =>
          notify.success(t('Example removed'), { action: { label: t('Undo'), run: () => putBack(saved) } }),
        onError: notifyFailed,
      },
    )
  }
  const close = () => {
    reset()
    setAdding(false)
  }
  return (
    <section className="roles-section" aria-labelledby="examples-title">
      <div className="roles-head">
        <div>
          <h2 id="examples-title">{t('Policy examples')}</h2>
          <p>{t('Permission changes that would make an example fail are rejected.')}</p>
        </div>
        <Button size="xs" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setAdding(true)}>
          {t('Add example')}
        </Button>
      </div>
      {examples.length === 0 ? (
        <p className="grant-hint">
          {t('Add statements that must stay true, such as “Ana can’t see Salary in People”.')}
        </p>
      ) : (
        <ul className="examples" aria-label={t('Examples')}>
          {examples.map((example) => (
            <ExampleRow key={example.id} example={example} onRemove={() => remove(example)} />
          ))}
        </ul>
      )}
      {isAdding && (
        <ExampleDialog
          isPending={isPending}
          error={error}
          onSave={(example) => put([...examples.map(inputOfExample), example], version, close)}
          onClose={close}
        />
      )}
    </section>
  )
}

const STATES = {
  holds: { icon: IconCheck, label: t('Passing') },
  broken: { icon: IconX, label: t('Failing') },
  stale: { icon: IconAlertTriangle, label: t('Refers to something that no longer exists') },
} as const

function ExampleRow({ example, onRemove }: { readonly example: Example; readonly onRemove: () => void }) {
  const sentence = useExampleSentence()(example)
  const { icon: Icon, label } = STATES[example.state]
  return (
    <li className="example" data-state={example.state}>
      <Icon size={18} stroke={1.75} role="img" aria-label={label} />
      <span>
        {sentence}
        {example.state === 'stale' && <span className="grant-hint"> · {label}</span>}
      </span>
      <ActionIcon aria-label={t('Remove example “{sentence}”', { sentence })} onClick={onRemove}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </li>
  )
}

function useExampleSentence() {
  const collections = useKnownCollections()
  const nameOf = useWhoNameOf()
  return ({ who, may, permission, collection, field, record }: ExampleInput): string => {
    const known = collections.find(({ id }) => id === collection)
    return accessSentence({
      who: nameOf(whoValue(who)) ?? t('Unknown user'),
      may,
      permission,
      collection: collection === null ? null : (known?.label ?? t('a deleted collection')),
      field: known?.fields.find(({ id }) => id === field)?.label ?? null,
      isOneRecord: typeof record === 'string',
    })
  }
}
