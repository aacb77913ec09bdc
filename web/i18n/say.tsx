import { Fragment, type ReactNode } from 'react'
import { numberText } from './locale.ts'

type SayProps = {
  /** The message, which may contain tags such as `<code>text</code>` and placeholders such as `{name}`. */
  readonly text: string
  readonly parts?: { readonly [mark: string]: (inner: ReactNode) => ReactNode } | undefined
  readonly values?: { readonly [name: string]: ReactNode } | undefined
}

const PART = /<(?<mark>\w+)>(?<inner>.*?)<\/\k<mark>>|\{(?<name>\w+)\}/s

/** A message with markup: `<Say text="Open the <code>whole link</code>." parts={{ code }} />`. */
export function Say({ text, parts, values }: SayProps): ReactNode {
  const found = PART.exec(text)
  if (!found) return text
  const { mark, inner, name } = found.groups ?? {}
  const rest = text.slice(found.index + found[0].length)
  return (
    <>
      {text.slice(0, found.index)}
      <Fragment>
        {mark !== undefined && parts?.[mark]?.(<Say text={inner ?? ''} parts={parts} values={values} />)}
        {name !== undefined && shown(values?.[name])}
      </Fragment>
      {rest !== '' && <Say text={rest} parts={parts} values={values} />}
    </>
  )
}

const shown = (value: ReactNode): ReactNode => (typeof value === 'number' ? numberText(value) : value)
