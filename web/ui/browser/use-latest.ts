import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A ref to the value from the last render, for handlers that outlive it. */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
