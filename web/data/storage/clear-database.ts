/** Empties a store of this browser. Not deleted: another tab may have it open, and would keep it from being deleted. */
export function clearDatabase(database: string, store: string): void {
  const opening = indexedDB.open(database)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store))
  opening.addEventListener('success', () => {
    opening.result.transaction(store, 'readwrite').objectStore(store).clear()
    opening.result.close()
  })
}
