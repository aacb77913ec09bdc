import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCan } from '#web/data/authorization/use-can.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { areSingleKeysEnabled } from '#web/data/storage/browser-storage.ts'
import { t } from '#web/i18n/t.ts'
import { pagesFor, SETTINGS_PAGES } from '#web/shared/navigation/app-pages.ts'
import { IconKeyboard, IconPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { commands, keystrokeBuffer, useCommand } from '#web/ui/shortcuts/commands.ts'
import { meaningOf, ariaShortcut, keysOf, ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { IconSearch } from '#web/ui/icons/start.ts'
import './search-button.css'

function SearchButton({ onOpen }: { readonly onOpen: () => void }) {
  const keys = keysOf('palette') ?? ''
  return (
    <button
      type="button"
      className="search-button"
      data-tour="search"
      aria-keyshortcuts={ariaShortcut(keys)}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <IconSearch size={16} stroke={1.5} aria-hidden />
      <span className="search-button-word">
        <span aria-hidden>{t('Search')}</span>
        <span className="visually-hidden">{t('Search and commands')}</span>
      </span>
      <ShortcutHint keys={keys} />
    </button>
  )
}

/** Elements that handle key presses themselves. */
const INTERACTIVE_SELECTOR =
  'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable="true"], ' +
  '[role="listbox"], [role="menu"], [role="dialog"], dialog'

/**
 * Whether the focused element may handle the key. Question marks in grids are excluded, because a cell that accepts
 * typing handles them itself.
 */
const isTakenBy = (target: EventTarget | null, key: string): boolean =>
  target instanceof Element &&
  (target.closest(INTERACTIVE_SELECTOR) ??
    (key === '?' ? null : target.closest('[role="grid"], [role="treegrid"]'))) !== null

/** Maximum time in ms between the two keys of a sequence. */
const WAIT_MS = 1_500

/** Handles the shortcuts in `shortcuts.ts`, unless the focused element handles the key. */
function useGlobalShortcuts(): void {
  useEffect(() => {
    let first: { readonly keys: string; readonly atMs: number } | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
      const isTaken = isTakenBy(target, key)
      const after = first && Date.now() - first.atMs < WAIT_MS ? first.keys : undefined
      const press = { key, ctrlKey, metaKey, altKey, shiftKey, isTaken }
      const meaning = meaningOf(press, after, areSingleKeysEnabled())
      first = meaning && 'waitAfter' in meaning ? { keys: meaning.waitAfter, atMs: Date.now() } : undefined
      // Other keys keep the browser's default behavior.
      if (meaning && 'run' in meaning && commands.run(meaning.run)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

const palette = lazyModule(() => import('#web/features/search/palette/palette.tsx'))
const newCollection = lazyModule(() => import('#web/features/schema/collection/new-collection-dialog.tsx'))
const shortcuts = lazyModule(() => import('#web/features/shortcuts/shortcut-sheet.tsx'))

type OpenOverlay = 'palette' | 'new-collection' | 'shortcuts'

export function Commands() {
  const [opened, setOpened] = useState<OpenOverlay>()
  const { Palette } = useLazyModule(palette, opened === 'palette') ?? {}
  const { NewCollectionDialog } = useLazyModule(newCollection, opened === 'new-collection') ?? {}
  const { ShortcutSheet } = useLazyModule(shortcuts, opened === 'shortcuts') ?? {}
  const close = () => setOpened(undefined)
  const openPalette = () => {
    if (opened !== 'palette') keystrokeBuffer.begin()
    setOpened('palette')
  }
  const mayManage = useCan('collections:manage')
  useGlobalShortcuts()
  useNavigationCommands()
  useCommand({ id: 'palette', label: t('Search and commands'), about: 'key', run: openPalette })
  useCommand({
    id: 'shortcuts',
    label: t('Keyboard shortcuts'),
    about: 'app',
    alsoCalled: t('Keyboard shortcuts and help'),
    icon: IconKeyboard,
    run: () => setOpened('shortcuts'),
  })
  useCommand(
    mayManage && {
      id: 'new-collection',
      label: t('New collection'),
      about: 'create',
      alsoCalled: t('Table, database, base, sheet, template'),
      icon: IconPlus,
      run: () => setOpened('new-collection'),
    },
  )
  return (
    <>
      <SearchButton onOpen={openPalette} />
      {Palette && <Palette isOpen={opened === 'palette'} onClose={close} />}
      {ShortcutSheet && <ShortcutSheet isOpen={opened === 'shortcuts'} onClose={close} />}
      {NewCollectionDialog && <NewCollectionDialog isOpen={opened === 'new-collection'} onClose={close} />}
    </>
  )
}

function useNavigationCommands(): void {
  const { history } = useRouter()
  const scope = useUser()?.scope ?? []
  const settings = pagesFor(SETTINGS_PAGES, scope)[0]?.to
  const go = (id: string, label: string, path: string) => ({
    id,
    label,
    about: 'key' as const,
    run: () => history.push(path),
  })
  useCommand(go('go-home', t('Go home'), sessionConfig.routes.home))
  useCommand(go('go-account', t('Go to account'), '/account/profile'))
  useCommand(settings === undefined ? undefined : go('go-settings', t('Go to settings'), String(settings)))
}
