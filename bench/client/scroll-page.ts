/** Measures scrolling; everything in this file runs in the browser page. */

export type ScrollRun = { readonly pxPerFrame: number; readonly forMs: number }

export type ScrollResult = {
  readonly frames: number
  readonly tookMs: number
  readonly longestFrameMs: number
  /** Longest time in ms during which part of the visible area had neither rows nor placeholders. */
  readonly longestBareMs: number
  /** Longest time in ms during which every visible row was a placeholder. */
  readonly longestWaitMs: number
}

/** Scrolls by the given number of pixels per frame, reversing at the end of the list. */
export function recordScroll({ pxPerFrame, forMs }: ScrollRun): Promise<ScrollResult> {
  const scroller = document.querySelector('.grid-scroller')
  if (!scroller) throw new Error('There is no list.')
  const headPx = scroller.querySelector('.grid-header')?.clientHeight ?? 0
  const rowPx = scroller.querySelector('.grid-row')?.clientHeight ?? 36

  /** Whether the last frame had areas without rows, or showed only placeholders. */
  const seen = () => {
    const top = scroller.scrollTop
    const heightPx = scroller.clientHeight - headPx
    let drawn = 0
    let there = 0
    for (const row of scroller.querySelectorAll<HTMLElement>('.grid-body > .grid-row')) {
      const rowTop = Number.parseFloat(row.style.top)
      const inSight = Math.min(rowTop + rowPx, top + heightPx) - Math.max(rowTop, top)
      if (inSight <= 0) continue
      drawn += inSight
      if (!row.hasAttribute('aria-busy')) there += 1
    }
    return { isBare: drawn < heightPx - 1, isWaiting: there === 0 }
  }
  const longest = () => {
    let since: number | undefined
    let most = 0
    return {
      note: (isSo: boolean, nowMs: number) => {
        if (!isSo) since = undefined
        else since ??= nowMs
        most = Math.max(most, nowMs - (since ?? nowMs))
      },
      ms: () => most,
    }
  }

  return new Promise((resolve) => {
    const bare = longest()
    const waiting = longest()
    let startMs = 0
    let lastMs = 0
    let frames = 0
    let longestFrameMs = 0
    let direction = 1
    const step = (nowMs: number) => {
      frames += 1
      longestFrameMs = Math.max(longestFrameMs, nowMs - lastMs)
      lastMs = nowMs
      const { isBare, isWaiting } = seen()
      bare.note(isBare, nowMs)
      waiting.note(isWaiting, nowMs)
      const tookMs = nowMs - startMs
      const [longestBareMs, longestWaitMs] = [bare.ms(), waiting.ms()]
      if (tookMs >= forMs) return resolve({ frames, tookMs, longestFrameMs, longestBareMs, longestWaitMs })
      const before = scroller.scrollTop
      scroller.scrollTop = before + pxPerFrame * direction
      if (scroller.scrollTop === before) direction = -direction
      requestAnimationFrame(step)
    }
    requestAnimationFrame((nowMs) => {
      ;[startMs, lastMs] = [nowMs, nowMs]
      requestAnimationFrame(step)
    })
  })
}

/** Drags the scroll bar to a position and returns the time until every visible row has loaded. */
export function jumpTo(share: number): Promise<number> {
  const scroller = document.querySelector('.grid-scroller')
  if (!scroller) throw new Error('There is no list.')
  return new Promise((resolve) => {
    const startMs = performance.now()
    scroller.scrollTop = share * (scroller.scrollHeight - scroller.clientHeight)
    const look = () => {
      const frame = scroller.getBoundingClientRect()
      const inSight = [...scroller.querySelectorAll('.grid-body > .grid-row')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return bottom > frame.top && top < frame.bottom
      })
      const isThere = inSight.length > 1 && inSight.every((row) => !row.hasAttribute('aria-busy'))
      if (isThere) resolve(performance.now() - startMs)
      else requestAnimationFrame(look)
    }
    // Waits two frames, so that rows rendered before the scroll event don't count.
    requestAnimationFrame(() => requestAnimationFrame(look))
  })
}
