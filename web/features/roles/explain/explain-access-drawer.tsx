import { Drawer, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { readRecord, type RecordBody } from '#api/records.ts'
import type { ExplanationBody } from '#api/roles.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useGrantLabels, useKnownCollections } from '#web/features/roles/grants/use-grant-labels.ts'
import { cellPath, policyPath, rolePath } from '#web/features/roles/role-paths.ts'
import { t } from '#web/i18n/t.ts'
import { describeLockedFields, lockedFieldNames, type TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordSearch } from '#web/shared/lookups/search-options.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import '../roles.css'
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
} from './access-question.tsx'
import { describeExplanation } from './describe-explanation.ts'

type Locked = { readonly isAll: boolean; readonly text: string }

/** Fields that the record's status locks; undefined if this doesn't affect the question. */
function useLocked({ permission, collection: id, record, field }: AccessQuestion): Locked | undefined {
  const collection = useKnownCollections().find((known) => known.id === id)
  const isRequested = permission === 'records:update' && record !== null && collection?.workflow !== undefined
  const params = { collection: collection?.name ?? '', record: record?.value ?? '' }
  const { data } = useQuery({
    queryKey: [...queryKeys.record(params.collection, params.record), 'plain'],
    queryFn: ({ signal }) => call(readRecord, { params, signal }),
    enabled: isRequested,
  })
  return isRequested && data ? lockedOf(collection, data, field) : undefined
}

function lockedOf(collection: TypedCollection, { values }: RecordBody, field: string | null): Locked | undefined {
  const state = collection.fields.find(({ id }) => id === collection.workflow?.field)
  if (state === undefined) return undefined
  const frozen = lockedFieldNames(collection, values)
  const requested = collection.fields.filter(({ id }) => id !== state.id && (field === null || id === field))
  const held = requested.filter(({ name }) => frozen.has(name))
  if (held.length === 0) return undefined
  return {
    isAll: held.length === requested.length,
    text: describeLockedFields(collection, frozen, String(values[state.name])),
  }
}

type ExplainAccessDrawerProps = { readonly given: Partial<AccessQuestion>; readonly onClose: () => void }

export function ExplainAccessDrawer({ given, onClose }: ExplainAccessDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title={t('Check access')} size={520}>
      <ExplainAccess given={given} />
    </Drawer>
  )
}

function ExplainAccess({ given }: Pick<ExplainAccessDrawerProps, 'given'>) {
  const [requested, setRequested] = useState<AccessQuestion>({ ...EMPTY_QUESTION, ...given })
  const change = (part: Partial<AccessQuestion>) => setRequested((before) => ({ ...before, ...part }))
  const whoOptions = useWhoOptions()
  return (
    <div className="grant-form">
      <Dropdown
        label={t('Who')}
        required
        searchable
        autoFocus={given.who === undefined}
        placeholder={t('Select a person or role')}
        options={whoOptions}
        value={requested.who}
        onChange={(who) => change({ who })}
      />
      <Dropdown
        label={t('What')}
        required
        options={PERMISSION_OPTIONS}
        value={requested.permission}
        onChange={(value) => value !== null && change({ permission: permissionOf(value) })}
      />
      {isPerCollection(requested.permission) && <Where requested={requested} change={change} />}
      <Answer requested={requested} />
    </div>
  )
}

type WhereProps = { readonly requested: AccessQuestion; readonly change: (part: Partial<AccessQuestion>) => void }

function Where({ requested, change }: WhereProps) {
  const collections = useKnownCollections()
  const queryClient = useQueryClient()
  const { collection, permission } = requested
  const known = collections.find(({ id }) => id === collection)
  const search = useMemo(() => recordSearch(queryClient, collection ?? ''), [queryClient, collection])
  return (
    <>
      <Dropdown
        label={t('Where')}
        placeholder={t('All collections')}
        options={collections.map(({ id, label }) => ({ value: id, label }))}
        value={collection}
        onChange={(next) => change({ collection: next, record: null, field: null })}
      />
      {known && permission.startsWith('records:') && (
        <SearchDropdown
          label={t('Which record')}
          placeholder={t('Any')}
          search={search}
          value={requested.record}
          onChange={(record) => change({ record })}
        />
      )}
      <FieldPicker
        collection={known}
        requested={requested}
        placeholder={t('The whole record')}
        onField={(field) => change({ field })}
      />
    </>
  )
}

function Answer({ requested }: { readonly requested: AccessQuestion }) {
  const { data, error, isPending } = useExplanation(requested)
  const nameOf = useWhoNameOf()
  const words = useGrantLabels()(requested.collection)
  const frozen = useLocked(requested)
  if (requested.who === null) return <p className="grant-hint">{t('Select a person or role to check.')}</p>
  if (error) return <FailureNotice error={error} />
  if (isPending) return <Skeleton height={64} />
  const said = describeExplanation(data, {
    who: nameOf(requested.who) ?? '',
    isRole: 'role' in whoOf(requested.who),
    conditionWords: words.describeCondition,
  })
  const held = data.may === 'no' ? undefined : frozen
  return (
    <div className="explanation" data-may={data.may} role="status">
      <strong>{held?.isAll ? t('Not now') : said.answer}</strong>
      {held && <p>{held.text}</p>}
      <p>{said.why}</p>
      <AccessReasons explanation={data} requested={requested} />
    </div>
  )
}

type AccessReasonsProps = { readonly explanation: ExplanationBody; readonly requested: AccessQuestion }

function AccessReasons({ explanation: { by }, requested: { permission, collection, who } }: AccessReasonsProps) {
  const places = new Map(
    by.map(({ role, policy }) => [
      policy ? policyPath(policy.id) : rolePath(role.id),
      policy
        ? t('Show the relevant grant in “{name}”', { name: policy.name })
        : t('Show role {name}', { name: role.name }),
    ]),
  )
  const own = who === null ? undefined : whoOf(who)
  if (by.length === 0 && own && 'role' in own) places.set(rolePath(own.role), t('Show the role’s permissions'))
  return [...places].map(([page, label]) => (
    <AppLink key={page} href={cellPath(page, { permission, collection })}>
      {label}
    </AppLink>
  ))
}
