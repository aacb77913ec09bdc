import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { searchEverything } from '#api/search.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { useUser } from '#web/data/session/use-session.ts'
import { useReturnFocusOnClose } from '#web/ui/dialogs/dialog.tsx'
import { IconSearch } from '#web/ui/icons/start.ts'
import { keystrokeBuffer } from '#web/ui/shortcuts/commands.ts'
import {
  hrefOf,
  itemSections,
  nextPosition,
  type PaletteRow,
  type PaletteSection,
  resultSections,
} from './result-rows.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { plural, t } from '#web/i18n/t.ts'
import { PaletteList } from './palette-list.tsx'
import { parseQuery, rankItems } from './rank-items.ts'
import { usePaletteItems } from './use-palette-items.ts'
import './palette.css'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'

/** Stores more items than are shown, because some may not apply to the current page. */
const MAX_RECENT = 12

const keyOf = (userId: string) => `palette.${userId}`

/** Recently used item ids of this user in this browser, newest first. */
function recentItems(userId: string): readonly string[] {
  const kept = readStoredJson(keyOf(userId))
  return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []
}

function addRecentItem(userId: string, id: string): void {
  const others = recentItems(userId).filter((one) => one !== id)
  setStored(keyOf(userId), JSON.stringify([id, ...others].slice(0, MAX_RECENT)))
}

/** Delay before searching records; commands are filtered on every keystroke. */
const DEBOUNCE_MS = 180

const MAX_QUERY_LENGTH = 500

/** Maximum results per group: with all groups shown, and with a single group. */
const MAX_RESULTS = { all: 5, alone: 30 }

type PaletteProps = { readonly isOpen: boolean; readonly onClose: () => void }

export function Palette({ isOpen, onClose }: PaletteProps) {
  useReturnFocusOnClose(isOpen)
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      padding={0}
      size={640}
      yOffset="10dvh"
      returnFocus={false}
      // Disables the animation, because the palette is used with the keyboard.
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('Search and commands')}>
        <Modal.Body>
          <PalettePanel onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Separate component, so that its state resets when the palette closes. */
function PalettePanel({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const items = useItemSections(text)
  const records = useRecordResults(text)
  const sections = useMemo(() => [...items, ...records.sections], [items, records.sections])
  const lines = useMemo(() => sections.flatMap((section) => section.lines), [sections])
  const take = useRunItem(onClose)
  const { place, setPlace, onKeyDown } = useSelectedRow(lines, take)
  const listId = useId()

  return (
    <div className="search-panel">
      <div className="search-field">
        <IconSearch size={18} stroke={1.5} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label={t('Search and commands')}
          aria-expanded={lines.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={lines[place]?.id}
          placeholder={t('Type a command or search')}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_QUERY_LENGTH}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setPlace(0)
          }}
          onFocus={() => {
            const ahead = keystrokeBuffer.end()
            if (ahead !== '') setText((before) => `${before}${ahead}`.slice(0, MAX_QUERY_LENGTH))
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        {records.isWaiting && <span className="search-waiting" aria-hidden />}
      </div>
      <PaletteList id={listId} sections={sections} chosen={lines[place]?.id} onTake={take} />
      {records.error ? (
        <div className="search-words">
          <FailureNotice error={records.error} onRetry={records.retry} />
        </div>
      ) : (
        <Situation records={records} count={lines.length} />
      )}
      <Foot />
    </div>
  )
}

function useItemSections(text: string): readonly PaletteSection[] {
  const items = usePaletteItems()
  const userId = useUser()?.id
  const [recent] = useState(() => (userId === undefined ? [] : recentItems(userId)))
  return useMemo(() => {
    const requested = parseQuery(text)
    const mostOfGroup = requested.mode === 'all' ? MAX_RESULTS.all : MAX_RESULTS.alone
    return itemSections(rankItems(items, requested, { recent, mostOfGroup }))
  }, [items, recent, text])
}

/** Avoids new requests when the user returns to an earlier search text. */
const STALE_TIME_MS = 10_000

const searchQuery = (words: string) =>
  queryOptions({
    queryKey: queryKeys.search(words),
    queryFn: ({ signal }) => call(searchEverything, { query: { q: words }, signal }),
    enabled: words !== '',
    staleTime: STALE_TIME_MS,
    // Keeps the previous results until new ones arrive, except for an empty search.
    placeholderData: (before) => (words === '' ? undefined : before),
  })

type Found = {
  readonly words: string
  readonly sections: readonly PaletteSection[]
  readonly isWaiting: boolean
  readonly isComplete: boolean
  readonly error: Error | null
  readonly retry: () => void
}

function useRecordResults(text: string): Found {
  const { mode, words: typed } = parseQuery(text)
  const wanted = mode === 'all' ? typed : ''
  const words = useDebouncedValue(wanted, DEBOUNCE_MS)[0]
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(searchQuery(words))
  const sections = useMemo(
    () => resultSections(wanted === '' ? [] : (data?.groups ?? []), words),
    [data, wanted, words],
  )
  return {
    words: wanted,
    sections,
    isWaiting: wanted !== '' && (wanted !== words || (isFetching && (data === undefined || isPlaceholderData))),
    isComplete: data?.isComplete !== false,
    error: wanted === '' ? null : error,
    retry: () => void refetch(),
  }
}

function useRunItem(onClose: () => void) {
  const { history } = useRouter()
  const userId = useUser()?.id
  return (line: PaletteRow, inNewTab: boolean) => {
    if (line.kind === 'item' && userId !== undefined) addRecentItem(userId, line.item.id)
    const href = hrefOf(line)
    if (href !== undefined && inNewTab) return void window.open(href, '_blank', 'noopener')
    onClose()
    // Navigating to an anchor moves focus, which the focus trap of the open palette would prevent.
    if (href?.includes('#') === true) setTimeout(() => history.push(href), AFTER_CLOSE_MS)
    else if (href !== undefined) history.push(href)
    // Commands may open a dialog, so they run after the palette has closed.
    else if (line.kind === 'item' && 'run' in line.item) setTimeout(line.item.run, AFTER_CLOSE_MS)
  }
}

/** Delay in ms, long enough for focus to be restored. */
const AFTER_CLOSE_MS = 20

function useSelectedRow(lines: readonly PaletteRow[], take: (line: PaletteRow, inNewTab: boolean) => void) {
  const [place, setPlace] = useState(0)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const moved = nextPosition(event.key, place, lines.length)
    if (moved !== undefined) {
      event.preventDefault()
      setPlace(moved)
      return
    }
    const line = lines[place]
    if (event.key !== 'Enter' || !line || event.nativeEvent.isComposing) return
    event.preventDefault()
    take(line, event.ctrlKey || event.metaKey)
  }
  return { place, setPlace, onKeyDown }
}

function Situation({ records, count }: { readonly records: Found; readonly count: number }) {
  const [said, setSaid] = useState('')
  const sentence = statusMessage(records, count)
  const found = count === 0 || records.isWaiting ? '' : `${plural(count, '{n} result', '{n} results')}. `
  const aloud = records.isWaiting ? t('Searching') : `${found}${sentence}`
  useEffect(() => {
    const timer = setTimeout(() => setSaid(aloud), ANNOUNCE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [aloud])
  return (
    <>
      {sentence !== '' && <p className="search-words">{sentence}</p>}
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
    </>
  )
}

/** Debounced, to avoid an announcement on every keystroke. */
const ANNOUNCE_AFTER_MS = 400

function statusMessage({ words, isWaiting, isComplete }: Found, count: number): string {
  if (isWaiting) return ''
  const rest = words === '' || isComplete ? '' : t('Some collections timed out and aren’t included.')
  if (count > 0) return rest
  return words === ''
    ? t('No results.')
    : `${t('No results for “{words}”. Try fewer or different words.', { words })} ${rest}`.trim()
}

function Foot() {
  return (
    <p className="palette-foot">
      <span>
        <kbd>&gt;</kbd> {t('commands')}
      </span>
      <span>
        <kbd>/</kbd> {t('pages')}
      </span>
      <span>
        <kbd>{quoted(' ')}</kbd> {t('exact phrase')}
      </span>
    </p>
  )
}
