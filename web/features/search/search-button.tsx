import { useEffect, useState } from 'react'
import { IconSearch } from '#web/kit/icons/icon-search.ts'
import { later, useLater } from '#web/kit/later.ts'
import { ShortcutHint, ariaShortcut } from '#web/kit/shortcut-hint.tsx'
import './search-button.css'

const searchDialog = later(() => import('./search-dialog.tsx'))

const SHORTCUT = 'Mod+K'

/** The way to the search over everything: here, or by its keys from anywhere. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false)
  const { SearchDialog } = useLater(searchDialog, isOpen) ?? {}
  useShortcut(() => setOpen(true))
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-keyshortcuts={ariaShortcut(SHORTCUT)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} stroke={1.5} aria-hidden />
        <span className="search-button-word">
          Search<span className="visually-hidden"> everything</span>
        </span>
        <ShortcutHint keys={SHORTCUT} />
      </button>
      {SearchDialog && <SearchDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Hears the keys wherever the focus is, unless something there has a use of its own for them: the editor makes links. */
function useShortcut(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isMod = event.ctrlKey !== event.metaKey
      if (!isMod || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k' || event.defaultPrevented) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [open])
}
