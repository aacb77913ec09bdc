const wishes = new Set<() => void>()

/** Asks for the tour to be shown again, whoever shows it. */
export function askForTour(): void {
  for (const grant of wishes) grant()
}

/** Is called whenever somebody asks for the tour. */
export function onTourAsked(grant: () => void): () => void {
  wishes.add(grant)
  return () => {
    wishes.delete(grant)
  }
}
