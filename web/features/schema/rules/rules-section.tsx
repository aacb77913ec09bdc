import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import type { RuleBody } from '#api/rules.ts'
import { MAX_RULES } from '#domain/rules/rule.ts'
import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { definitionOf, type FindCollection } from '#web/shared/conditions/path-fields.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { IconPencil } from '#web/ui/icons/later.ts'
import { IconTrash } from '#web/ui/icons/general.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { IconShieldCheck } from '#web/ui/icons/start.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { describeRule, useSaveRules, violatingFilter } from './rule-draft.ts'
import '#web/features/schema/schema.css'
import { listRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

function useViolationCount(collection: string, rule: string) {
  return useQuery({
    queryKey: [...queryKeys.records(collection), 'breaks', rule],
    queryFn: async ({ signal }) => {
      const query = { breaks: rule, perPage: 1, fields: '', count: 'capped' } as const
      const { total, totalIs } = await call(listRecords, { params: { collection }, query, signal })
      return { count: total ?? 0, isExact: totalIs === 'exact' }
    },
  })
}

/** Maximum number of ids that fit into a URL. */
const MAX_LISTED = 200

async function violatingRecordIds(collection: string, rule: string): Promise<string> {
  const query = { breaks: rule, perPage: MAX_LISTED, count: 'none' } as const
  const { items } = await call(listRecords, { params: { collection }, query })
  return `id in (${items.map(({ id }) => `"${id}"`).join(', ')})`
}

export function RulesSection({ collection }: { readonly collection: TypedCollection }) {
  const [opened, setOpened] = useState<RuleBody | 'new' | null>(null)
  const findCollection = useFindCollection()
  const { remove } = useSaveRules(collection)
  const { data: people } = useQuery({ ...peopleQuery, enabled: collection.rules !== undefined })
  const personOf = (id: string) => people?.find((person) => person.id === id)?.name
  const words = { collection, findCollection, personOf }
  const rules = collection.rules ?? []
  return (
    <section className="settings-section" data-tour="rules" aria-labelledby="rules-title">
      <div className="settings-head">
        <h2 id="rules-title">{t('Validation rules')}</h2>
        <Button
          size="xs"
          leftSection={<IconPlus size={14} stroke={1.75} />}
          disabled={rules.length >= MAX_RULES}
          onClick={() => setOpened('new')}
        >
          {t('Add a rule')}
        </Button>
      </div>
      {rules.length === 0 ? (
        <NoRules />
      ) : (
        <ItemList label={t('Validation rules')}>
          {rules.map((rule) => (
            <ListItem
              key={rule.id}
              icon={IconShieldCheck}
              title={rule.message}
              detail={
                <>
                  <span className="rule-text">{describeRule(rule, words)}</span>
                  <Violations collection={collection} findCollection={findCollection} rule={rule} />
                </>
              }
              actions={
                <>
                  <ActionIcon
                    aria-label={t('Edit rule “{message}”', { message: rule.message })}
                    onClick={() => setOpened(rule)}
                  >
                    <IconPencil size={16} stroke={1.5} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={t('Remove rule “{message}”', { message: rule.message })}
                    onClick={() => remove(rule)}
                  >
                    <IconTrash size={16} stroke={1.5} />
                  </ActionIcon>
                </>
              }
            />
          ))}
        </ItemList>
      )}
      <RuleDialog collection={collection} rule={opened} onClose={() => setOpened(null)} />
    </section>
  )
}

const NoRules = () => (
  <p className="dialog-hint">
    {t(
      'Rules check records before they are saved, for example: “Shipped orders need a tracking number.” Values that break a rule can’t be saved.',
    )}
  </p>
)

type ViolationsProps = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly rule: RuleBody
}

function Violations({ collection, findCollection, rule }: ViolationsProps) {
  const { data } = useViolationCount(collection.name, rule.id)
  const navigate = useNavigate()
  const follow = useFollow()
  if (!data) return null
  if (data.count === 0) return <span className="rule-kept">{t('No records break this rule')}</span>

  const collectionOf = (id: string) => {
    const there = findCollection(id)
    return there && definitionOf(there)
  }
  const filter = violatingFilter(rule, { collection: definitionOf(collection), collectionOf })
  const path = collectionPath(collection.name)
  const show = (event: MouseEvent<HTMLAnchorElement>) => {
    if (filter !== undefined) return follow(event)
    event.preventDefault()
    // The violations can't be expressed as a filter, so the first violating records are listed by id.
    violatingRecordIds(collection.name, rule.id).then(
      (named) => void navigate({ to: path, search: { filter: named } }),
      notifyFailure(t('Couldn’t show the records')),
    )
  }
  return (
    <a
      className="rule-broken"
      href={filter === undefined ? path : `${path}?${new URLSearchParams({ filter })}`}
      onClick={show}
    >
      {data.isExact
        ? plural(data.count, 'Show {n} record that breaks it', 'Show {n} records that break it')
        : plural(data.count, 'Show more than {n} record that breaks it', 'Show more than {n} records that break it')}
    </a>
  )
}
