import { type RefObject, useLayoutEffect, useRef } from 'react'
import './filter-input.css'

/** Where the word or text that begins at a place ends. */
export const endOfWord = (text: string, from: number): number =>
  from + (/^(?:"[^"]*"?|[\w.]+|\S)/.exec(text.slice(from))?.[0].length ?? 0)

type ErrorUnderlineProps = {
  readonly text: string
  readonly position: number | undefined
  readonly input: RefObject<HTMLInputElement | null>
}

/** The same text below the field, out of sight but for the line under a mistake; it goes along as the field scrolls. */
export function ErrorUnderline({ text, position, input }: ErrorUnderlineProps) {
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const field = input.current
    if (!field || position === undefined) return undefined
    const follow = () => {
      if (layer.current) layer.current.scrollLeft = field.scrollLeft
    }
    follow()
    field.addEventListener('scroll', follow)
    return () => field.removeEventListener('scroll', follow)
  }, [input, position, text])
  if (position === undefined) return null
  const end = endOfWord(text, position)
  return (
    <div ref={layer} className="filter-field-mark" aria-hidden>
      {text.slice(0, position)}
      <mark>{end > position ? text.slice(position, end) : ' '}</mark>
      {text.slice(end)}
    </div>
  )
}
