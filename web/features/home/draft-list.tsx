import { ActionIcon } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CollectionBody } from '#api/collections.ts'
import type { StoredDraft } from '#web/data/storage/draft-storage.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { RecordListItem, RecordListCard } from '#web/shared/record-list-card/record-list-card.tsx'
import { useRecordById } from '#web/shared/lookups/use-record-by-id.ts'
import { IconTrash } from '#web/ui/icons/later.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { discardDraft, draftsOf } from '#web/shared/record-drafts/unsaved-edits.ts'

const KEY = ['drafts']
/** Interval for checking whether drafts are still unsaved. */
const REFETCH_INTERVAL_MS = 2_000
/** Drafts are read from this browser and can change with every page. */
export const draftsQuery = (userId: string) =>
  queryOptions({ queryKey: KEY, queryFn: () => draftsOf(userId), staleTime: 0, gcTime: 0 })

/** Nothing if everything is saved. */
export function DraftList({ collections }: { readonly collections: readonly CollectionBody[] }) {
  const userId = useUser()?.id ?? ''
  const { data: drafts = [] } = useQuery({
    ...draftsQuery(userId),
    // Drafts appear and disappear while saves are in progress.
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const shown = drafts.flatMap((draft) => {
    const collection = collections.find(({ id }) => id === draft.collection)
    return collection ? [{ draft, collection }] : []
  })
  if (shown.length === 0) return null
  return (
    <RecordListCard title={t('Your drafts')}>
      <ul>
        {shown.map(({ draft, collection }) => (
          <DraftItem key={draft.record} draft={draft} collection={collection} userId={userId} />
        ))}
      </ul>
      <p className="record-lines-empty">
        {t('Drafts are unsaved and kept only in this browser. Open one to continue.')}
      </p>
    </RecordListCard>
  )
}

type DraftItemProps = {
  readonly draft: StoredDraft
  readonly collection: CollectionBody
  readonly userId: string
}

function DraftItem({ draft, collection, userId }: DraftItemProps) {
  const { title = '', isGone } = useRecordById(collection, draft.record)
  const queryClient = useQueryClient()
  const readAnew = () => queryClient.invalidateQueries({ queryKey: KEY })
  const id = `draft ${draft.record}`
  const discard = async () => {
    const putBack = await discardDraft({ ...draft, userId })
    await readAnew()
    const run = () => {
      notify.dismiss(id)
      void putBack().then(readAnew)
    }
    notify.info(t('Draft discarded'), { id, action: { label: t('Undo'), run } })
  }
  return (
    <RecordListItem
      collection={collection}
      record={draft.record}
      title={isGone ? t('Unavailable record') : title}
      when={<RelativeTime at={new Date(draft.atMs).toISOString()} />}
      actions={
        <ActionIcon
          aria-label={t('Discard the draft of {title}', { title: title || draft.record })}
          title={t('Discard')}
          onClick={() => void discard()}
        >
          <IconTrash size={16} stroke={1.5} />
        </ActionIcon>
      }
    />
  )
}
