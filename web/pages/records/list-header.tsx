import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import { FavoriteButton } from '#web/shared/favorites/favorite-button.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { CollectionMenu } from '#web/features/schema/collection/collection-menu.tsx'
import type { ExportDialogProps } from '#web/features/bulk/export-dialog.tsx'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import { NewRecordButton } from '#web/features/record-list/new-record/new-record-button.tsx'
import { type Listing, totalQuery } from '#web/data/queries/record-list-queries.ts'
import type { SearchHits } from '#web/features/record-list/use-search-hits.ts'
import { shortcutWords } from '#web/ui/shortcuts/shortcuts.tsx'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import type { GridTotal } from '#web/ui/grid/grid-props.ts'
import { IconArrowDown, IconArrowUp, IconDownload, IconPrinter } from '#web/ui/icons/general.ts'
import { useDescription } from '#web/ui/popup/use-description.tsx'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { plural, t } from '#web/i18n/t.ts'

const exporting = lazyModule(() => import('#web/features/bulk/export-dialog.tsx'))
const printing = lazyModule(() => import('#web/features/bulk/print-list.tsx'))

/** Separate component, so that the dialog loads on demand. */
function Exporting(props: ExportDialogProps) {
  const { ExportDialog } = useLazyModule(exporting, true) ?? {}
  return ExportDialog ? <ExportDialog {...props} /> : null
}

type RecordCountProps = Pick<ListHeaderProps, 'collection' | 'listing' | 'total'>

/** Shows “3 of 128 records” in a filtered list. */
function RecordCount({ collection, listing: { filter, search, at }, total }: RecordCountProps) {
  const isNarrowed = filter !== '' || search.trim() !== ''
  const { data } = useQuery({ ...totalQuery(collection.name, { filter: '', search: '', at }), enabled: isNarrowed })
  const all = isNarrowed && data?.totalIs === 'exact' ? data.total : null
  return (
    <span className="records-count">
      {total.is !== 'unknown' &&
        (all === null
          ? plural(total.count, '{n} record', '{n} records')
          : t('{count} of {records}', { count: total.count, records: plural(all, '{n} record', '{n} records') }))}
    </span>
  )
}

const HIT_STEPS = [
  { step: -1, label: t('Previous match'), keys: 'Shift+Enter', StepIcon: IconArrowUp },
  { step: 1, label: t('Next match'), keys: 'Enter', StepIcon: IconArrowDown },
] as const

/** Steps through search matches. The shortcuts also work in the search field. */
type HitStepsProps = Pick<ListHeaderProps, 'total'> & { readonly onStep: SearchHits['step'] }

function HitSteps({ total, onStep }: HitStepsProps) {
  if (total.is === 'exact' && total.count === 0) return null
  return (
    <div role="group" className="records-hits" aria-label={t('Matches')}>
      {HIT_STEPS.map(({ step, label, keys, StepIcon }) => (
        <ActionIcon
          key={step}
          size="sm"
          title={`${label} · ${shortcutWords(keys)}`}
          aria-label={label}
          onClick={() => onStep(step)}
        >
          <StepIcon size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  )
}

export type ListHeaderProps = {
  readonly collection: TypedCollection
  readonly total: GridTotal
  readonly onStep: SearchHits['step'] | undefined
  readonly onCreated: (record: RecordBody) => void
  /** Undefined if an earlier time is already shown. */
  readonly onEarlier: (() => void) | undefined
  readonly listing: Listing
  readonly group: string | null
  readonly look: ListSettings
  readonly children: ReactNode
}

export function ListHeader({
  collection,
  total,
  onStep,
  onCreated,
  onEarlier,
  listing,
  group,
  look,
  children,
}: ListHeaderProps) {
  const { described, tooltip } = useDescription(collection.description, 'bottom-start')
  const [isExporting, setExporting] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const { PrintList } = useLazyModule(printing, isPrinting) ?? {}
  const stopPrinting = useCallback(() => setPrinting(false), [])
  useCommand({
    id: 'print-list',
    label: t('Print this list'),
    about: 'page',
    icon: IconPrinter,
    run: () => setPrinting(true),
  })
  useCommand(
    collection.can.includes('records:export') && {
      id: 'export',
      label: t('Export this list'),
      about: 'page',
      icon: IconDownload,
      run: () => setExporting(true),
    },
  )
  return (
    <header className="records-head">
      <h1 {...described}>{collection.label}</h1>
      {tooltip}
      {children}
      <RecordCount collection={collection} listing={listing} total={total} />
      {onStep && listing.search.trim() !== '' && <HitSteps total={total} onStep={onStep} />}
      <div className="records-actions">
        <FavoriteButton target={{ collection: collection.id }} name={collection.label} />
        <CollectionMenu
          collection={collection}
          onExport={() => setExporting(true)}
          onPrint={() => setPrinting(true)}
          onEarlier={onEarlier}
        />
        {collection.can.includes('records:create') && <NewRecordButton collection={collection} onCreated={onCreated} />}
      </div>
      {isPrinting && PrintList && (
        <PrintList collection={collection} listing={listing} group={group} look={look} onClose={stopPrinting} />
      )}
      {isExporting && (
        <Exporting collection={collection} listing={listing} look={look} onClose={() => setExporting(false)} />
      )}
    </header>
  )
}
