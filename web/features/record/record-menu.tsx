import { ActionIcon, Menu } from '@mantine/core'
import { recordPath } from '#web/shared/navigation/app-link.tsx'
import { copyRecordLink } from '#web/shared/navigation/copy-record-link.ts'
import { FavoriteMenuItem } from '#web/shared/favorites/favorite-menu-item.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconLink, IconPrinter, IconTrash } from '#web/ui/icons/general.ts'
import { IconCopy } from '#web/ui/icons/later.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import type { DraftSaver } from '#web/shared/record-drafts/draft-saver.ts'
import { useDeleteRecords } from '#web/shared/bulk-operations/delete-records.ts'
import type { RecordBody } from '#api/records.ts'
import { wireValues } from '#web/shared/fields/client-value.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { copyOf } from '#web/shared/cell-editing/operations/duplicate-records.ts'
import { useCreateRecord } from '#web/data/queries/record-queries.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { printPage } from '#web/ui/browser/printing.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'

type DuplicateInput = {
  readonly collection: TypedCollection
  /** Saves pending edits and returns the saved record. */
  readonly recordNow: () => Promise<RecordBody>
  readonly onMade: (record: string) => void
  readonly onTakenBack: (copy: string) => void
}

/** Duplicates the open record, opens the copy and offers to undo this. */
function useDuplicateRecord({ collection, recordNow, onMade, onTakenBack }: DuplicateInput): () => void {
  const { mutateAsync: create } = useCreateRecord(collection.name, collection.fields)
  const deleteRecords = useDeleteRecords(collection.name)
  const tell = (copy: RecordBody) => {
    const takeBack = () => {
      const onGone = () => onTakenBack(copy.id)
      void deleteRecords({ ids: [copy.id], title: recordTitle(collection, copy), onGone })
    }
    const mayTakeBack = collection.can.includes('records:delete')
    notify.success(t('Record duplicated'), mayTakeBack ? { action: { label: t('Undo'), run: takeBack } } : {})
    onMade(copy.id)
  }
  return () =>
    void recordNow()
      .then(({ values }) => create(wireValues(collection.fields, copyOf(collection, values))))
      .then(tell, notifyFailure(t('Couldn’t duplicate')))
}

type RecordMenuProps = {
  readonly collection: TypedCollection
  readonly recordId: string
  readonly title: string
  readonly saver: DraftSaver
  readonly onLeave: () => void
  readonly onOpen: (recordId: string) => void
  /** The list next to the side panel; if undo deletes the record, the panel closes automatically. */
  readonly list?: ListEdits
}

export function RecordMenu(props: RecordMenuProps) {
  const { collection, recordId, title, saver, onLeave } = props
  const deleteRecords = useDeleteRecords(collection.name)
  const remove = () => {
    // Saves first, so that undoing the deletion restores the latest edits.
    void saver.flush().then(() => deleteRecords({ ids: [recordId], title, onGone: onLeave }))
  }
  const mayDelete = collection.can.includes('records:delete')
  const duplicate = useDuplicate(props)
  const copy = () => copyRecordLink(collection.name, recordId)
  const print = () => void printPage()
  useCommand({ id: 'copy-record-link', label: t('Copy link to this record'), about: 'page', icon: IconLink, run: copy })
  useCommand({ id: 'print-record', label: t('Print this record'), about: 'page', icon: IconPrinter, run: print })
  useCommand(
    mayDelete && { id: 'delete-record', label: t('Delete this record'), about: 'page', icon: IconTrash, run: remove },
  )
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={t('More actions for this record')}>
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <FavoriteMenuItem target={{ collection: collection.id, record: recordId }} />
        <MenuItem icon={IconLink} label={t('Copy link')} onClick={copy} />
        <MenuItem icon={IconPrinter} label={t('Print')} onClick={print} />
        {duplicate && <MenuItem icon={IconCopy} label={t('Duplicate')} onClick={duplicate} />}
        {mayDelete && <MenuItem icon={IconTrash} label={t('Delete')} color="danger" onClick={remove} />}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Returns undefined if the user can't create records. */
function useDuplicate({ collection, recordId, saver, onOpen, list }: RecordMenuProps): (() => void) | undefined {
  const duplicate = useDuplicateRecord({
    collection,
    recordNow: () => saver.flush().then(() => saver.get().base),
    onMade: onOpen,
    onTakenBack: (copy) => {
      const isShown = window.location.pathname === recordPath(collection.name, copy)
      if (list === undefined && isShown) onOpen(recordId)
    },
  })
  const mayCreate = collection.can.includes('records:create')
  useCommand(
    mayCreate && {
      id: 'duplicate-record',
      label: t('Duplicate this record'),
      about: 'page',
      icon: IconCopy,
      run: duplicate,
    },
  )
  return mayCreate ? duplicate : undefined
}
