import { Button, Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import './header-button.css'

type HeaderButtonProps = {
  readonly isThere: boolean
  readonly name: string
  readonly spoken: string
  readonly text: string
  readonly icon: ReactNode
  readonly announcement: string
  readonly widthPx: number
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly children: ReactNode
}

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
const UNKNOWN_SHARE = 0.25

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
