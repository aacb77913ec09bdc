import { Button, Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import './header-button.css'

type HeaderButtonProps = {
  readonly isThere: boolean
  /** What it is about: names what it opens. */
  readonly name: string
  /** Read aloud before the few words that are seen. */
  readonly spoken: string
  readonly text: string
  readonly icon: ReactNode
  /** What somebody who does not see the page is told as it changes. */
  readonly announcement: string
  readonly widthPx: number
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** Something that goes on beside everything else, in the head of every page; nothing while there is nothing. */
export function HeaderButton(props: HeaderButtonProps) {
  const { isThere, name, spoken, text, icon, announcement, widthPx, isOpen, onOpen, children } = props
  return (
    <>
      <div role="status" className="visually-hidden">
        {isThere && announcement}
      </div>
      {isThere && (
        <Popover
          position="bottom-end"
          shadow="md"
          trapFocus
          returnFocus
          opened={isOpen}
          onChange={onOpen}
          width={widthPx}
        >
          <Popover.Target>
            <Button
              size="sm"
              variant="subtle"
              color="gray"
              className="head-button"
              aria-haspopup="dialog"
              leftSection={icon}
              onClick={() => onOpen(!isOpen)}
            >
              <span className="visually-hidden">{spoken}</span>
              {text}
            </Button>
          </Popover.Target>
          <Popover.Dropdown className="head-panel" aria-label={name}>
            {children}
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

const RADIUS = 7
const LENGTH = 2 * Math.PI * RADIUS
/** How much of it is drawn where nobody knows how far it is: it turns. */
const UNKNOWN_SHARE = 0.25

/** A ring that fills: `share` from 0 to 1; undefined where that is not known. */
export function ProgressRing({ share }: { readonly share: number | undefined }) {
  return (
    <svg
      aria-hidden
      width={16}
      height={16}
      viewBox="0 0 18 18"
      className="progress-ring"
      data-unknown={share === undefined || undefined}
    >
      <circle cx={9} cy={9} r={RADIUS} className="progress-ring-track" />
      <circle
        cx={9}
        cy={9}
        r={RADIUS}
        className="progress-ring-done"
        strokeDasharray={`${LENGTH * (share ?? UNKNOWN_SHARE)} ${LENGTH}`}
      />
    </svg>
  )
}
